import type { Json } from '../../events/json.ts';

/** Whether a turn goes on to a model or a flow. */
export type BeforeLLMDecision =
  | {
      readonly action: 'continue';
      /** The language in which the conversation goes on, from this turn on: one of the flow's `languages`. */
      readonly language?: string | undefined;
    }
  | {
      readonly action: 'skip_llm';
      readonly language?: string | undefined;
      /** Said instead of a reply; without it the caller hears nothing. */
      readonly draftReply?: string | undefined;
      readonly structured?: Readonly<Record<string, unknown>> | undefined;
      /** Why, for events and `onResponse`; at most 500 characters of it are kept. */
      readonly reason?: string | undefined;
    }
  | {
      readonly action: 'route_flow';
      /** A flow by name, which begins anew also where it is active; or `classic`, for the prompt. */
      readonly flowId: string;
      readonly input?: unknown;
      readonly language?: string | undefined;
      readonly reason?: string | undefined;
    }
  | { readonly action: 'end'; readonly reason?: string | undefined };

/** Whether a reply is said. */
export type BeforeResponseDecision =
  | { readonly action: 'continue' }
  | { readonly action: 'cancel'; readonly reason?: string | undefined }
  | {
      readonly action: 'replace';
      readonly reply: string;
      readonly modality?: 'text' | 'voice' | undefined;
      readonly structured?: Readonly<Record<string, unknown>> | undefined;
      readonly reason?: string | undefined;
    };

/** A decision as it is obeyed: what it holds is JSON, and no longer than a log may take. */
export type ObeyedBeforeLLM =
  | { readonly action: 'continue'; readonly language?: string }
  | {
      readonly action: 'skip_llm';
      readonly language?: string;
      readonly draftReply?: string;
      readonly structured?: Structured;
      readonly reason?: string;
    }
  | {
      readonly action: 'route_flow';
      readonly flowId: string;
      readonly input?: Json;
      readonly language?: string;
      readonly reason?: string;
    }
  | { readonly action: 'end'; readonly reason?: string };

export type ObeyedBeforeResponse =
  | { readonly action: 'continue' }
  | { readonly action: 'cancel'; readonly reason?: string }
  | {
      readonly action: 'replace';
      readonly reply: string;
      readonly modality?: 'text' | 'voice';
      readonly structured?: Structured;
      readonly reason?: string;
      /** The hook has failed, and nothing is said that it has not let pass. */
      readonly blocks?: true;
    };

type Structured = Readonly<Record<string, Json>>;

/** The decision of a hook, and the keys of its answer that cannot be used. */
export interface ReadDecision<Decision> {
  readonly decision: Decision;
  readonly dropped: readonly string[];
}

/** How much of a hook's reason is kept. */
const longestReason = 500;

/**
 * Reads what `beforeLLM` has answered. A decision that can be recognised is obeyed, and what cannot be used of the rest
 * is dropped by its key; null where it is no decision. Throws what an accessor of the answer's `action` throws.
 */
export function readBeforeLLM(answer: unknown): ReadDecision<ObeyedBeforeLLM> | null {
  const fields = fieldsOf(answer);
  switch (fields?.action) {
    case 'continue':
      return fields.read(() => ({ action: 'continue', ...fields.text('language') }));
    case 'skip_llm':
      return fields.read(() => ({
        action: 'skip_llm',
        ...fields.text('language'),
        ...fields.text('draftReply'),
        ...fields.structured(),
        ...fields.reason(),
      }));
    case 'route_flow': {
      const { flowId } = fields.text('flowId');
      // Nobody can tell where it leads.
      if (flowId === undefined) return null;
      return fields.read(() => ({
        action: 'route_flow',
        flowId,
        ...fields.text('language'),
        ...fields.input(),
        ...fields.reason(),
      }));
    }
    case 'end':
      return fields.read(() => ({ action: 'end', ...fields.reason() }));
    default:
      return null;
  }
}

/** The same for `beforeResponse`. A replacement without words says nothing: what it replaces is not said either. */
export function readBeforeResponse(answer: unknown): ReadDecision<ObeyedBeforeResponse> | null {
  const fields = fieldsOf(answer);
  switch (fields?.action) {
    case 'continue':
      return fields.read(() => ({ action: 'continue' }));
    case 'cancel':
      return fields.read(() => ({ action: 'cancel', ...fields.reason() }));
    case 'replace':
      return fields.read(() => ({
        action: 'replace',
        reply: '',
        ...fields.text('reply', true),
        ...fields.modality(),
        ...fields.structured(),
        ...fields.reason(),
      }));
    default:
      return null;
  }
}

/** The members of an answer, each read once and without ever throwing but for `action`; null where it has none. */
function fieldsOf(answer: unknown) {
  if (typeof answer !== 'object' || answer === null) return null;
  const members = answer as Readonly<Record<string, unknown>>;
  const { action } = members;
  const known = new Set(['action']);
  const dropped: string[] = [];
  /** The value of a key as a decision may hold it; `undefined` where there is none. */
  const take = <Value>(
    key: string,
    use: (value: unknown) => Value | undefined,
    isNeeded = false,
  ): Value | undefined => {
    known.add(key);
    try {
      const value = members[key];
      const isAbsent = value === undefined || value === null;
      const used = isAbsent ? undefined : use(value);
      if (used === undefined && (!isAbsent || isNeeded)) dropped.push(key);
      return used;
    } catch {
      dropped.push(key);
      return undefined;
    }
  };
  const only = <Key extends string, Value>(key: Key, value: Value | undefined): { readonly [One in Key]?: Value } =>
    value === undefined ? {} : ({ [key]: value } as { readonly [One in Key]?: Value }); // Of one key there is one member.
  return {
    action,
    text: <Key extends string>(key: Key, isNeeded = false): { readonly [One in Key]?: string } =>
      only(
        key,
        take(key, (value) => (typeof value === 'string' ? value : undefined), isNeeded),
      ),
    input: () => only('input', take('input', toJson)),
    structured: () =>
      only(
        'structured',
        take('structured', (value) => {
          if (typeof value !== 'object' || Array.isArray(value)) return undefined;
          const json: Record<string, Json> = {};
          const unfit: string[] = [];
          for (const [name, member] of Object.entries(value ?? {})) {
            const held = jsonOrNone(member);
            if (held !== undefined) Object.defineProperty(json, name, { value: held, ...plainMember });
            else if (member !== undefined) unfit.push(`structured.${name}`);
          }
          if (unfit.length > 0 && Object.keys(json).length === 0) return undefined;
          dropped.push(...unfit);
          return json;
        }),
      ),
    modality: () =>
      only(
        'modality',
        take('modality', (value): 'text' | 'voice' | undefined =>
          value === 'text' || value === 'voice' ? value : undefined,
        ),
      ),
    reason: () =>
      only(
        'reason',
        take('reason', (value) => {
          if (typeof value !== 'string') return undefined;
          if (value.length > longestReason) dropped.push('reason');
          return value.slice(0, longestReason);
        }),
      ),
    read<Decision>(make: () => Decision): ReadDecision<Decision> {
      const decision = make();
      for (const key of Object.keys(answer)) if (!known.has(key)) dropped.push(key);
      return { decision, dropped };
    },
  };
}

/** A member may be called as what every object has, such as `__proto__`. */
const plainMember = { enumerable: true, configurable: true, writable: true };

/** The same, and undefined as well where a value throws when it is read or contains itself. */
function jsonOrNone(value: unknown): Json | undefined {
  try {
    return toJson(value);
  } catch {
    return undefined;
  }
}

/** A value as JSON holds it; undefined where it cannot. */
function toJson(value: unknown): Json | undefined {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}
