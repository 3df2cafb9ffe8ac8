// The static server: what is inside its folder it serves, what is outside it does not.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { serve } from "../../scripts/serve.mjs";

const folder = await mkdtemp(join(tmpdir(), "served-"));
const inside = join(folder, "inside");
await mkdir(join(inside, "deep"), { recursive: true });
await writeFile(join(folder, "secret.txt"), "secret");
await writeFile(join(folder, "inside-not.txt"), "secret");
await writeFile(join(inside, "index.html"), "<!doctype html>");
await writeFile(join(inside, "deep/index.html"), "deep");
await writeFile(join(inside, "module.wasm"), "wasm");
await writeFile(join(inside, "a b.js"), "code");
await symlink("../secret.txt", join(inside, "link.txt"));
const server = await serve(inside, 0);
after(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** A request whose path nobody tidies up on the way. */
function raw(path, method = "GET") {
  return new Promise((resolve, reject) => {
    const socket = connect(new URL(server.url).port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => (text += chunk)).on("error", reject);
    socket.on("end", () => resolve({ status: Number(text.split(" ")[1]), text }));
    socket.write(`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
  });
}

for (const [path, type] of [
  ["", "text/html; charset=utf-8"],
  ["index.html?query#fragment", "text/html; charset=utf-8"],
  ["deep/", "text/html; charset=utf-8"],
  ["module.wasm", "application/wasm"],
  ["a%20b.js", "text/javascript; charset=utf-8"],
]) {
  test(`serves /${path} as ${type}`, async () => {
    const response = await fetch(server.url + path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), type);
    assert.ok((await response.text()).length > 0);
  });
}

for (const path of ["/nothing", "/deep", "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/deep/..%2f..%2fsecret.txt", "/../inside-not.txt", "/link.txt", "/%00", "/%ff", "//etc/passwd", "/..\\secret.txt"]) {
  test(`does not find ${path}`, async () => {
    const { status, text } = await raw(path);
    assert.equal(status, 404);
    assert.doesNotMatch(text, /secret|root:/);
  });
}

test("answers HEAD without a body, and no other method than GET", async () => {
  const { status, text } = await raw("/index.html", "HEAD");
  assert.equal(status, 200);
  assert.match(text, /content-length: 15\r\n/);
  assert.ok(text.endsWith("\r\n\r\n"));
  assert.equal((await raw("/index.html", "POST")).status, 405);
});

test("listens on loopback only", () => {
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
});
