// The driver as a module worker, for workerd: a POST of the job is answered with the reports.

import { drive } from "./driver.mjs";

export default {
  async fetch(request) {
    const reports = [];
    await drive(await request.json(), (report) => reports.push(report));
    return Response.json(reports);
  },
};
