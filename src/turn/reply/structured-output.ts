import { z } from 'zod';
import type { Json } from '../../events/json.ts';
import { FlowError } from '../../errors.ts';
import type { View } from '../../kernel/view.ts';
import type { Hub } from '../../ports/hub.ts';
import type { Engine } from '../engine/engine.ts';
import { createReplyReader } from './reply-reader.ts';

/** The schema of the model's answers on the classic path: an object whose `reply` is said. */
export type OutputSchema = z.ZodObject;

/** One answer of the model that is being read. */
export interface OutputReading {
  /** Takes what the model wrote next; returns what is to be said of it. */
  push(written: string): string;
  /** The model has ended, with or without calls. Throws where it broke off in the middle of what was said. */
  end(hasCalls: boolean): void;
}

/** Reads the answers of the classic path. */
export interface StructuredOutput {
  /** The view as the model is asked under it: it says what shape the answer has, unless a flow has the conversation. */
  viewOf(view: View): View;
  /** Null where a flow has the conversation, whose model speaks plainly. */
  open(): OutputReading | null;
  /** Whether the last answer says nothing because it leads elsewhere. */
  readonly isSilenceMeant: () => boolean;
}

export interface StructuredOutputParts {
  readonly hub: Hub;
  readonly engine: () => Engine;
  /** An answer of the right shape, once it is whole; null where what was said has none. */
  readonly onStructured: (structured: Readonly<Record<string, Json>> | null) => void;
  /** Whether an answer leads to a flow, which speaks in its place where it says nothing. */
  readonly leadsOn: (structured: Readonly<Record<string, Json>>) => boolean;
}

/** Throws `output-invalid` unless the schema is an object in which `reply` is a required text. */
export function assertOutput(schema: OutputSchema): void {
  const { type, properties, required = [] } = jsonSchemaOf(schema);
  const reply = type === 'object' ? properties?.['reply'] : undefined;
  const isText = typeof reply === 'object' && reply.type === 'string';
  if (isText && required.includes('reply')) return;
  throw new FlowError(
    'output-invalid',
    'output: what is said is its field "reply", and it has none that is a required text. Add reply: z.string().',
  );
}

/**
 * Asks for JSON and lets its `reply` be said while it is written. Plain words are said as they are; JSON that is broken
 * before anything was said is asked for once more. Throws `output-invalid`.
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
          // Before its calls a model may say something or nothing.
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
    // JSON.parse makes an object of JSON out of text in braces.
    return JSON.parse(json) as Readonly<Record<string, Json>>;
  } catch {
    return null;
  }
}
