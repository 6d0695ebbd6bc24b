/** The values of a label. Their number is limited because each is a permanent time series. */
export interface LabelValues {
  of(name: string): string;
}

const mostValues = 100;

/** Creates the values of one label. */
export function createLabelValues(): LabelValues {
  const values = new Set<string>();
  return {
    of(name) {
      if (values.has(name)) return name;
      if (values.size >= mostValues) return 'other';
      values.add(name);
      return name;
    },
  };
}
