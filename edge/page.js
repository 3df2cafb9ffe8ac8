// The operators' page, with a policy by which it runs and shows nothing but its own script and style.

import html from "./operator.html";

/** A source of the policy: the hash of what is between the tags of this name. */
async function sourceOf(name) {
  const [, text] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(html);
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `${name}-src 'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
}

let policy;

export async function operatorsPage() {
  policy ??= `default-src 'none'; ${await sourceOf("script")}; ${await sourceOf("style")}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  };
  return new Response(html, { headers });
}
