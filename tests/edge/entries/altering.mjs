// The gateway with somebody who can write to a desk's store: at each start, the binding `ALTERS` is run there.

import gateway, { Desk as Deployed } from "../../../edge/worker.js";

export class Desk extends Deployed {
  constructor(ctx, env) {
    super(ctx, env);
    if (env.ALTERS) ctx.storage.sql.exec(env.ALTERS);
  }
}

export default gateway;
