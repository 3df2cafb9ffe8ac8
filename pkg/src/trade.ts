// Interim: the types of trades.

export interface Trade {
  operation: string;
}
