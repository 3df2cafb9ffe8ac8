/** The bytes of a stream, or `null` where there are more than so many: it is read no further. */
export async function read(stream, most) {
  const pieces = [];
  let length = 0;
  for await (const piece of stream ?? []) {
    if ((length += piece.length) > most) return null;
    pieces.push(piece);
  }
  return pieces.length === 1 ? pieces[0] : new Uint8Array(await new Blob(pieces).arrayBuffer());
}
