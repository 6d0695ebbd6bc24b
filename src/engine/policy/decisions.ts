import type { Json } from '../../model/json.ts';

/** Decision about a turn, before a model or a flow answers it. */
export type BeforeLLMDecision =
  | {
      readonly action: 'continue';
      /** Language of the conversation from this turn on: one of the flow's `languages`. */
      readonly language?: string | undefined;
    }
  | {
      readonly action: 'skip_llm';
      readonly language?: string | undefined;
      /** Said instead of a reply; without it the caller hears nothing. */
      readonly draftReply?: string | undefined;
      readonly structured?: Readonly<Record<string, unknown>> | undefined;
      /** Reason for events and `onResponse`; cut to 500 characters. */
      readonly reason?: string | undefined;
    }
  | {
      readonly action: 'route_flow';
      /** Name of the flow, which starts again if it is active already; or `classic` for the prompt. */
      readonly flowId: string;
      readonly input?: unknown;
      readonly language?: string | undefined;
      readonly reason?: string | undefined;
    }
  | { readonly action: 'end'; readonly reason?: string | undefined };

/** Decision about a reply, before it is said. */
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

/** A validated decision: its values are JSON and limited in length for the log. */
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
      /** The hook failed, and `onHookError` blocks output that no hook has approved. */
      readonly blocks?: true;
    };

type Structured = Readonly<Record<string, Json>>;

/** A hook's decision, and the keys of its answer that cannot be used. */
export interface ReadDecision<Decision> {
  readonly decision: Decision;
  readonly dropped: readonly string[];
}

/** Maximum length of a hook's reason, in characters. */
const longestReason = 500;

/**
 * Reads the answer of `beforeLLM`. A recognised decision is used and its unusable keys
 * are dropped. Null if it is not a decision. Throws what an accessor of `action` throws.
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
      // Without a flow, the target of the route is unknown.
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

/** Reads the answer of `beforeResponse` in the same way. A replacement without text is silence: the replaced reply is not said either. */
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

/** Reads each member of an answer once. Only reading `action` may throw. Null if the answer is not an object. */
function fieldsOf(answer: unknown) {
  if (typeof answer !== 'object' || answer === null) return null;
  const members = answer as Readonly<Record<string, unknown>>;
  const { action } = members;
  const known = new Set(['action']);
  const dropped: string[] = [];
  /** Returns the value of a key if a decision may contain it, else undefined. */
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
    value === undefined ? {} : ({ [key]: value } as { readonly [One in Key]?: Value }); // The object has only this key.
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

/** A member may have a name that every object has, such as `__proto__`. */
const plainMember = { enumerable: true, configurable: true, writable: true };

/** Converts a value to JSON; undefined if reading it throws or it contains itself. */
function jsonOrNone(value: unknown): Json | undefined {
  try {
    return toJson(value);
  } catch {
    return undefined;
  }
}

/** Converts a value to JSON; undefined if it has no JSON form. */
function toJson(value: unknown): Json | undefined {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}
