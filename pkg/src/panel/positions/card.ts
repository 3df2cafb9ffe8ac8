// The picture of a closed position, drawn by the page itself.

export interface Card {
  readonly symbol: string;
  readonly isLoss: boolean;
  readonly multiple: string;
  readonly gain: string;
  readonly held: string;
  /** That it was simulated; empty if it was not. */
  readonly simulated: string;
}

/** The colours of the picture, which is the same in both themes. */
const COLOURS = {
  back: "#0d1119",
  text: "#f2f4f8",
  quiet: "#a3adbd",
  gain: "#3ddbb4",
  loss: "#ff8a8a",
  simulated: "#ffc65c",
};
const [WIDTH, HEIGHT, EDGE] = [1200, 630, 80];

/** Draws it; null if this browser cannot. */
export function drawCard({ symbol, isLoss, multiple, gain, held, simulated }: Card): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: WIDTH, height: HEIGHT });
  const context = canvas.getContext("2d");
  if (!context) return Promise.resolve(null);
  context.fillStyle = COLOURS.back;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  const tone = isLoss ? COLOURS.loss : COLOURS.gain;
  const lines: [text: string, y: number, size: number, colour: string, weight: number][] = [
    [symbol, 140, 64, COLOURS.text, 600],
    [multiple, 310, 150, tone, 700],
    [gain, 400, 60, tone, 600],
    [held, 470, 34, COLOURS.quiet, 400],
    [simulated, 560, 34, COLOURS.simulated, 600],
  ];
  for (const [text, y, size, colour, weight] of lines) {
    context.fillStyle = colour;
    context.font = `${weight} ${size}px system-ui, sans-serif`;
    // No wider than the picture.
    context.fillText(text, EDGE, y, WIDTH - 2 * EDGE);
  }
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
