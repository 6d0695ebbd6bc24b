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

/** A text parsed as YAML. It must not be changed. */
export interface ComposedText extends Omit<Tokens, 'tokens'> {
  /** The document, as far as it could be read. Absent if the tokens end early. */
  readonly document: Document.Parsed | undefined;
}

/** Longer texts are not cached, because their result is large. In UTF-16 units: some thousand nodes. */
const mostKept = 256 * 1_024;

/** The last composed text, while it is in memory anyway, and how much of a budget it used. */
interface Kept extends Budget {
  readonly text: string;
  /**
   * Null after another text was composed: the target of a reference is kept alive as long as the code that made it
   * runs.
   */
  composed: ComposedText | null;
}

let last: WeakRef<Kept> | null = null;

/** Composes a text again, with new nodes. */
export function composeText(text: string, budget: Budget): ComposedText {
  const { tokens, ...found } = readTokens(text, budget);
  return { ...found, document: found.isCut ? undefined : compose(tokens, text) };
}

/**
 * Composes the text of a flow, with a cache: the check and the fixes for its problems both need it. They share the
 * nodes, so this is not for included files: two of them with the same text may be in different folders.
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
  // A text that was cut was cut by its budget.
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
  // Its own check compares each key with all keys before it.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} satisfies ParseOptions & DocumentOptions & SchemaOptions;

/** Composes tokens into a document, which has everything up to the point where they are broken. */
function compose(tokens: readonly CST.Token[], text: string): Document.Parsed | undefined {
  const { stackTraceLimit } = Error;
  try {
    // Every mistake in the text becomes an Error there. A hundred thousand stack traces take seconds.
    Error.stackTraceLimit = 0;
    const [document] = new Composer(OPTIONS).compose(tokens, true, text.length);
    return document;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
