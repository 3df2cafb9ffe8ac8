// A worker that forwards with the key, and nothing more.

export default {
  async fetch(request, { UPSTREAM, API_KEY }) {
    const { pathname } = new URL(request.url);
    return fetch(UPSTREAM + pathname, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": API_KEY },
      body: await request.text(),
      redirect: "manual",
    });
  },
};
