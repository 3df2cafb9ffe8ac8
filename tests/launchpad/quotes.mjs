// Quotes asked as lines of text, and answered as text: in Node and in browsers alike.

/** JSON text of plain data whose bigints are numbers. */
export function exactJson(value) {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(exactJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, field]) => `${JSON.stringify(name)}:${exactJson(field)}`)
    .join(",")}}`;
}

function answer({ Curve, Trader }, asked) {
  const { curve: curveOptions, trader: traderOptions, method, argument } = JSON.parse(asked);
  const [curve, trader] = [new Curve(curveOptions), new Trader(traderOptions)];
  try {
    return exactJson(curve[method](argument, trader));
  } catch (error) {
    if (error.name !== "RefusalError") throw error;
    return exactJson({ refused: error.code });
  } finally {
    curve.free();
    trader.free();
  }
}

export const answers = (launchpad, lines) => lines.map((asked) => answer(launchpad, asked)).join("\n");
