import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  type ParseOptions,
  type ScalarTag,
  type SchemaOptions,
} from 'yaml';
import { type Budget, INCLUDE_TAG, readTokens, type Tokens } from './read-tokens.ts';

/** A text as YAML reads it. Nobody may change any of it. */
export interface ComposedText extends Omit<Tokens, 'tokens'> {
  /** What the tokens make, as far as it could be read; absent where they break off. */
  readonly document: Document.Parsed | undefined;
}

/** Longer texts are not kept: what they make is large. In UTF-16 units, some thousand nodes. */
const mostKept = 256 * 1_024;

/** What a text was last composed to, while it is in memory anyway, and what of a budget that took. */
interface Kept extends Budget {
  readonly text: string;
  /** Null once another text was composed: the target of a reference is held as long as the code that made it runs. */
  composed: ComposedText | null;
}

let last: WeakRef<Kept> | null = null;

/** Composes a text anew, with nodes of its own. */
export function composeText(text: string, budget: Budget): ComposedText {
  const { tokens, ...found } = readTokens(text, budget);
  return { ...found, document: found.isCut ? undefined : compose(tokens, text) };
}

/**
 * The same for a flow's own text, of which several ask one after the other: the check, and what mends its problems. Their nodes
 * are the same, so it is not for included files, of which two with one text may stand in different folders.
 */
export function composeFlowText(text: string, budget: Budget): ComposedText {
  const kept = last?.deref();
  if (kept !== undefined) {
    const { composed, lexemes, values } = kept;
    if (composed !== null && kept.text === text && lexemes <= budget.lexemes && values <= budget.values) {
      budget.lexemes -= lexemes;
      budget.values -= values;
      return composed;
    }
    kept.composed = null;
  }
  const { lexemes, values } = budget;
  const composed = composeText(text, budget);
  const spent = { lexemes: lexemes - budget.lexemes, values: values - budget.values };
  // One that is cut was cut by its budget.
  last = composed.isCut || text.length > mostKept ? null : new WeakRef({ text, composed, ...spent });
  return composed;
}

const includeTag: ScalarTag = { tag: INCLUDE_TAG, resolve: (text) => text };

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  customTags: [includeTag],
  resolveKnownTags: false,
  stringKeys: true,
  // Its own check compares each key with all before it.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} satisfies ParseOptions & DocumentOptions & SchemaOptions;

/** Composes tokens into a document, which holds what could be read where they are broken. */
function compose(tokens: readonly CST.Token[], text: string): Document.Parsed | undefined {
  const { stackTraceLimit } = Error;
  try {
    // Every mistake in the text becomes an Error there; a hundred thousand stack traces take seconds.
    Error.stackTraceLimit = 0;
    const [document] = new Composer(OPTIONS).compose(tokens, true, text.length);
    return document;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
