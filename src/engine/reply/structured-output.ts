import { z } from 'zod';
import type { Json } from '../../model/json.ts';
import { FlowError } from '../../model/errors.ts';
import type { View } from '../../kernel/state/view.ts';
import type { Hub } from '../../model/ports/hub.ts';
import type { Engine } from '../engine.ts';
import { createReplyReader } from './reply-reader.ts';

/** Schema of the model's answers on the classic path: an object whose `reply` is said. */
export type OutputSchema = z.ZodObject;

/** Reader of one answer. */
export interface OutputReading {
  /** Takes the model's next text. Returns what to say of it. */
  push(written: string): string;
  /** The model has ended, with or without calls. Throws if the spoken reply breaks off. */
  end(hasCalls: boolean): void;
}

/** Reads the answers of the classic path. */
export interface StructuredOutput {
  /** Returns the model's view with the answer's schema, unless a flow is active. */
  viewOf(view: View): View;
  /** Returns null if a flow is active, because its model answers in plain words. */
  open(): OutputReading | null;
  /** Whether the last answer is silent because it leads to a flow. */
  readonly isSilenceMeant: () => boolean;
}

export interface StructuredOutputParts {
  readonly hub: Hub;
  readonly engine: () => Engine;
  /** Receives a valid answer once it is complete; null if the spoken answer has no valid structure. */
  readonly onStructured: (structured: Readonly<Record<string, Json>> | null) => void;
  /** Whether an answer leads to a flow, which then speaks if the answer is silent. */
  readonly leadsOn: (structured: Readonly<Record<string, Json>>) => boolean;
}

/** Throws `output-invalid` unless the schema is an object with `reply` as a required string. */
export function assertOutput(schema: OutputSchema): void {
  const { type, properties, required = [] } = jsonSchemaOf(schema);
  const reply = type === 'object' ? properties?.['reply'] : undefined;
  const isText = typeof reply === 'object' && reply.type === 'string';
  if (isText && required.includes('reply')) return;
  throw new FlowError(
    'output-invalid',
    'output: its field "reply" is said, and must be a required string. Add reply: z.string().',
  );
}

/**
 * Asks for JSON and says its `reply` while it streams. Plain words are said unchanged.
 * JSON that breaks before any word is retried once. Throws `output-invalid`.
 */
export function createStructuredOutput(schema: OutputSchema, parts: StructuredOutputParts): StructuredOutput {
  assertOutput(schema);
  const asked = [
    `Answer with nothing but JSON of this schema, "reply" first: ${JSON.stringify(jsonSchemaOf(schema))}`,
    'The caller hears "reply" alone.',
  ].join('\n');
  let wasBroken = false;
  let isMeant = false;
  const fail = (reason: 'plain' | 'broken' | 'mismatch'): void =>
    parts.hub.emit('response:failed', { source: 'classic', stage: 'output', reason: `output-${reason}` });

  const isClassic = (): boolean => parts.engine().activeFlow() === null;

  return {
    viewOf(view) {
      if (!isClassic()) return view;
      const again = wasBroken ? '\nYour last answer was no such JSON.' : '';
      return { ...view, instructions: `${view.instructions}\n\n${asked}${again}` };
    },
    isSilenceMeant: () => isMeant,
    open() {
      isMeant = false;
      if (!isClassic()) return null;
      const reader = createReplyReader();
      let hasSaid = false;
      return {
        push(written) {
          const said = reader.push(written);
          hasSaid ||= said.trim() !== '';
          return said;
        },
        end(hasCalls) {
          // A model may say nothing before its calls.
          wasBroken = false;
          if (hasCalls && reader.kind !== 'json') return;
          if (reader.kind !== 'json') {
            if (reader.kind !== 'plain') return;
            fail('plain');
            parts.onStructured(null);
            return;
          }
          const parsed = parseObject(reader.written);
          if (parsed !== null && schema.safeParse(parsed).success) {
            isMeant = parts.leadsOn(parsed);
            parts.onStructured(parsed);
            return;
          }
          fail(parsed === null ? 'broken' : 'mismatch');
          wasBroken = !hasSaid;
          if (hasSaid) parts.onStructured(null);
          if (hasSaid && !reader.isComplete) throw new FlowError('output-broken', 'the reply breaks off.');
        },
      };
    },
  };
}

function jsonSchemaOf(schema: OutputSchema) {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

function parseObject(written: string): Readonly<Record<string, Json>> | null {
  try {
    const json = written.slice(written.indexOf('{'), written.lastIndexOf('}') + 1);
    // Text in braces parses to an object.
    return JSON.parse(json) as Readonly<Record<string, Json>>;
  } catch {
    return null;
  }
}
