// The conditions to simulate, as sandbox settings.

const always = (fault) => ({ faults: { oneOf: [fault] } });

/** Value, text and settings of each choice; the first is the default. */
export const CONDITIONS = [
  { name: "calm", label: "All goes well", config: {} },
  { name: "rivals", label: "Rivals trade just before you", config: { market: { tradesInFlight: 3 } } },
  { name: "slow", label: "Answers take two seconds", config: always({ kind: "none", latencyMs: 2000 }) },
  { name: "lost", label: "Answers get lost", config: always({ kind: "noAnswer" }) },
  { name: "busy", label: "Too many requests", config: always({ kind: "rateLimited" }) },
  { name: "broken", label: "The service breaks down", config: always({ kind: "errorBefore" }) },
];
