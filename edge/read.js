/** So many bytes past a bound are read and thrown away: a sender would miss the answer if the connection closed at once. */
const DRAINED = 1 << 20;

/** The bytes of a stream, or `null` where there are more than so many. */
export async function read(stream, most) {
  const pieces = [];
  let length = 0;
  for await (const piece of stream ?? []) {
    length += piece.length;
    if (length <= most) pieces.push(piece);
    else if (length > most + DRAINED) break;
  }
  if (length > most) return null;
  return pieces.length === 1 ? pieces[0] : new Uint8Array(await new Blob(pieces).arrayBuffer());
}
