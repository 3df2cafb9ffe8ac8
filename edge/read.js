/** How many bytes past a limit are read and thrown away: a sender would miss the answer if the connection closed at once. */
const DRAINED = 1 << 20;

/** The bytes of a request or a response, or `null` if there are more than `most`. */
export async function read(message, most) {
  // An announced length can be trusted, and the runtime reads such a body at once; not if it decompresses the body on the way.
  const announced = message.headers.has("content-encoding") ? null : message.headers.get("content-length");
  if (announced !== null && Number(announced) <= most) return new Uint8Array(await message.arrayBuffer());
  const pieces = [];
  let length = 0;
  for await (const piece of message.body ?? []) {
    length += piece.length;
    if (length <= most) pieces.push(piece);
    else if (length > most + DRAINED) break;
  }
  if (length > most) return null;
  return pieces.length === 1 ? pieces[0] : new Uint8Array(await new Blob(pieces).arrayBuffer());
}
