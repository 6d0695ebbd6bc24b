import type { z } from 'zod';
import { type Pattern, compilePattern } from '../../flow/expression/pattern.ts';
import { FlowError } from '../../model/errors.ts';
import { classic } from '../../flow/document/classic.ts';
import { unknownFlow } from '../../flow/document/known-flows.ts';
import type { Model } from '../../model/ports/model.ts';
import type { Clock } from '../../model/ports/time.ts';
import { detectIntent } from './detect-intent.ts';
import { type Embed, type Example, scoreByMeaning, scoreByWords, type Scores } from './example-scores.ts';

/** Asks a model which flow the caller wants. */
export interface DetectorRouter {
  readonly mode: 'detector';
  readonly prompt: string;
  readonly outputSchema: z.ZodType<{ readonly intent: string; readonly confidence?: number | undefined }>;
  /** From 0 to 1. A less certain answer takes the fallback; an answer without a confidence counts as certain. */
  readonly minConfidence?: number | undefined;
  readonly fallback?: string | undefined;
}

/** Takes the flow from a field of the classic path's structured reply. */
export interface SchemaIntentRouter {
  readonly mode: 'schema_intent';
  readonly field: string;
  readonly fallback?: string | undefined;
}

/** Decides without a model: by patterns and by similarity to examples. */
export interface RulesRouter {
  readonly mode: 'rules';
  readonly rules: Readonly<Record<string, RouteRule>>;
  /** Minimum similarity to the examples, from 0 to 1. Default: 0.8 by words, 0.5 by meaning. */
  readonly minConfidence?: number | undefined;
  readonly fallback?: string | undefined;
  /** Returns vectors for texts, from a local model; examples are then compared by meaning. */
  readonly embed?: Embed | undefined;
}

/** The words that lead to a flow. */
export interface RouteRule {
  /** Regular expressions without lookaround, matched case-insensitively. A match is certain. */
  readonly patterns?: readonly string[] | undefined;
  /** Examples of what callers say who want this flow. `classic` may have examples too. */
  readonly examples?: readonly string[] | undefined;
}

/** How a flow is chosen for a caller without an active flow. */
export type RouterConfig = DetectorRouter | SchemaIntentRouter | RulesRouter;

/** The chosen flow by name, or `classic`. */
export interface Route {
  readonly to: string;
  readonly mode: RouterConfig['mode'];
  /** Why the fallback was taken; absent if the router was certain. */
  readonly fallback?: RouteFailure;
}

export type RouteFailure = 'parse-error' | 'unknown-flow' | 'low-confidence' | 'ambiguous' | 'model-failed' | 'missing';

export interface Router {
  readonly mode: RouterConfig['mode'];
  /**
   * Chooses by the caller's words and, if a model is asked, the agent's words before them. Null if the mode decides by the reply. Never throws.
   */
  byWords(text: string, signal: AbortSignal, lastSaid?: string): Promise<Route | null>;
  /** Chooses by a structured reply. Null if the model gave none, or if the mode decides by the words. Never throws. */
  byReply(structured: Readonly<Record<string, unknown>> | null): Route | null;
}

export interface RouterParts {
  readonly flows: ReadonlySet<string>;
  readonly clock: Clock;
  /** Used by the detector. */
  readonly model: Model | null;
}

/** Creates a router. Throws `router-invalid` with the place, the fact and the remedy. */
export function createRouter(config: RouterConfig, parts: RouterParts): Router {
  const { flows } = parts;
  const { mode } = config;
  const fallbackTo = config.fallback ?? classic;
  assertKnown(flows, fallbackTo, 'router.fallback');
  const settle = (intent: string): Route =>
    intent === classic || flows.has(intent) ? { to: intent, mode } : fall('unknown-flow');
  const fall = (fallback: RouteFailure): Route => ({ to: fallbackTo, mode, fallback });

  switch (config.mode) {
    case 'schema_intent':
      return {
        mode,
        byWords: () => Promise.resolve(null),
        byReply(structured) {
          if (structured === null) return fall('parse-error');
          const intent = Object.hasOwn(structured, config.field) ? structured[config.field] : undefined;
          return typeof intent === 'string' && intent !== '' ? settle(intent) : fall('missing');
        },
      };
    case 'detector': {
      const { model, clock } = parts;
      if (model === null)
        throw new FlowError(
          'router-invalid',
          'router: mode "detector" asks a model, but there is none. Set models.llm.',
        );
      return {
        mode,
        async byWords(text, signal, lastSaid = '') {
          const found = await detectIntent({ config, text, lastSaid, flows: [...flows], model, clock, signal });
          if (typeof found === 'string') return fall(found);
          if ((found.confidence ?? 1) < (config.minConfidence ?? 0)) return fall('low-confidence');
          return settle(found.intent);
        },
        byReply: () => null,
      };
    }
    case 'rules': {
      const choose = createRules(config, flows);
      return {
        mode,
        async byWords(text) {
          const found = await choose(text);
          return found.fallback === undefined ? settle(found.to) : fall(found.fallback);
        },
        byReply: () => null,
      };
    }
  }
}

type Choice = { readonly to: string; readonly fallback?: undefined } | { readonly fallback: RouteFailure };

/** Minimum lead of the best flow's score over the next. */
const margin = 0.05;
const minByWords = 0.8;
const minByMeaning = 0.5;

function createRules(config: RulesRouter, flows: ReadonlySet<string>): (text: string) => Promise<Choice> {
  const patterns: { readonly flow: string; readonly pattern: Extract<Pattern, { ok: true }> }[] = [];
  const examples: Example[] = [];
  for (const [flow, rule] of Object.entries(config.rules)) {
    assertKnown(flows, flow, `router.rules.${flow}`);
    for (const [index, source] of (rule.patterns ?? []).entries()) {
      const pattern = compilePattern(source, 'iu');
      if (!pattern.ok)
        throw new FlowError(
          'router-invalid',
          `router.rules.${flow}.patterns[${index}]: ${pattern.reason} ${pattern.hint ?? 'Correct the expression.'}`,
        );
      patterns.push({ flow, pattern });
    }
    for (const text of rule.examples ?? []) examples.push({ flow, text });
  }
  const score = createScores(examples, config.embed);
  return async (text) => {
    const matched = new Set(patterns.filter(({ pattern }) => pattern.test(text)).map(({ flow }) => flow));
    const [only] = matched;
    if (matched.size === 1 && only !== undefined) return { to: only };
    const { scores, min } = await score(text);
    const ranked = [...scores]
      // If patterns of several flows match, the examples decide between them.
      .filter(([flow]) => matched.size === 0 || matched.has(flow))
      .toSorted((one, other) => other[1] - one[1]);
    const [best, next] = ranked;
    if (best === undefined || (matched.size === 0 && best[1] < (config.minConfidence ?? min)))
      return { fallback: matched.size === 0 ? 'low-confidence' : 'ambiguous' };
    if (next !== undefined && best[1] - next[1] < margin) return { fallback: 'ambiguous' };
    return { to: best[0] };
  };
}

/** Scores by meaning if vectors are available, else by words. */
function createScores(
  examples: readonly Example[],
  embed: Embed | undefined,
): (text: string) => Promise<{ readonly scores: Scores; readonly min: number }> {
  const byWords = scoreByWords(examples);
  const byMeaning = embed === undefined ? null : scoreByMeaning(examples, embed);
  return async (text) => {
    try {
      if (byMeaning !== null) return { scores: await byMeaning(text), min: minByMeaning };
    } catch {
      // If the model is unavailable, the words decide.
    }
    return { scores: byWords(text), min: minByWords };
  };
}

function assertKnown(flows: ReadonlySet<string>, flow: string, place: string): void {
  if (flow === classic || flows.has(flow)) return;
  throw new FlowError('router-invalid', unknownFlow(place, flow, flows));
}

/** Returns the fault of a router that reads a field of a missing `output`; null if there is none. */
export function intentFault(router: RouterConfig, output: unknown): string | null {
  if (router.mode !== 'schema_intent' || (output !== undefined && output !== null)) return null;
  return `router.field: "${router.field}" is a field of output, and there is none. Add an output that has it.`;
}
