/** Returns one vector per text, all of one length, in the order of the texts. */
export type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;

export interface Example {
  readonly flow: string;
  readonly text: string;
}

/** How certainly a text belongs to each flow, from 0 to 1. */
export type Scores = ReadonlyMap<string, number>;

/** Added to each count, so that a word missing from a flow's examples is weak evidence. */
const smoothing = 0.2;

/**
 * Scores a text by the words of the examples: the probability of each flow under naive Bayes with
 * equal priors, each word counted once per text (Maron, 1961). Words without an example are ignored.
 */
export function scoreByWords(examples: readonly Example[]): (text: string) => Scores {
  const texts = new Map<string, number>();
  const holding = new Map<string, Map<string, number>>();
  for (const { flow, text } of examples) {
    texts.set(flow, (texts.get(flow) ?? 0) + 1);
    for (const word of wordsOf(text)) {
      const counts = holding.get(word) ?? new Map<string, number>();
      holding.set(word, counts.set(flow, (counts.get(flow) ?? 0) + 1));
    }
  }
  return (text) => {
    const known = [...wordsOf(text)].flatMap((word) => holding.get(word) ?? []);
    if (known.length === 0) return new Map();
    const proofs = [...texts].map(([flow, count]) => {
      const proof = (counts: ReadonlyMap<string, number>): number =>
        Math.log(((counts.get(flow) ?? 0) + smoothing) / (count + 2 * smoothing));
      return [flow, known.reduce((sum, counts) => sum + proof(counts), 0)] as const;
    });
    const strongest = Math.max(...proofs.map(([, proof]) => proof));
    const shares = proofs.map(([flow, proof]) => [flow, Math.exp(proof - strongest)] as const);
    const whole = shares.reduce((sum, [, share]) => sum + share, 0);
    return new Map(shares.map(([flow, share]) => [flow, share / whole]));
  };
}

/** Scores a text by meaning: the cosine similarity to the closest example of each flow. Rejects if `embed` does. */
export function scoreByMeaning(examples: readonly Example[], embed: Embed): (text: string) => Promise<Scores> {
  let vectors: ReturnType<Embed> | null = null;
  return async (text) => {
    vectors ??= embed(examples.map((example) => example.text));
    // A failed embedding is requested again with the next text.
    vectors.catch(() => (vectors = null));
    const [[own = []], all] = await Promise.all([embed([text]), vectors]);
    const best = new Map<string, number>();
    for (const [index, { flow }] of examples.entries())
      best.set(flow, Math.max(best.get(flow) ?? 0, cosine(own, all[index] ?? [])));
    return best;
  };
}

function wordsOf(text: string): ReadonlySet<string> {
  const plain = text.normalize('NFKC').toLowerCase().replace(/[’']/g, '');
  return new Set((plain.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, 200).map(stemOf));
}

/** Removes the most common English endings, so that "bills", "billed" and "bill" are one word. */
function stemOf(word: string): string {
  if (word.length === 4) return /[^s]s$/u.test(word) ? word.slice(0, 3) : word;
  if (word.length < 4) return word;
  return word.replace(/(?:ings?|edly|ed|ly|es|s)$/u, '').replace(/([bdglmnprt])\1$/u, '$1');
}

function cosine(one: readonly number[], other: readonly number[]): number {
  const product = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  const lengths = product(one, one) * product(other, other);
  return lengths > 0 ? product(one, other) / Math.sqrt(lengths) : 0;
}
