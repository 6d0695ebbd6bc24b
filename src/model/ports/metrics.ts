/** Destination of a flow's measurements. */
export interface Metrics {
  /** Adds one value (0 or more) to the distribution of this name. */
  record(name: string, value: number, tags: Readonly<Record<string, string>>): void;
}
