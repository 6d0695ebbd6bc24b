import { FlowError } from 'roomflow';

/** One message of the streaming input of `query()`. */
export interface ClaudeUserMessage {
  readonly type: 'user';
  readonly message: { readonly role: 'user'; readonly content: string };
  readonly parent_tool_use_id: null;
}

/** The part of the SDK's `query()` that this package uses. */
export type ClaudeQuery = (given: {
  readonly prompt: AsyncIterable<ClaudeUserMessage>;
  readonly options: Readonly<Record<string, unknown>>;
}) => AsyncIterable<unknown>;

const sdk: string = '@anthropic-ai/claude-agent-sdk';

/** Loads `query` of the installed SDK. Throws `model-missing` if the SDK is not installed. */
export async function installedQuery(): Promise<ClaudeQuery> {
  try {
    const { query } = (await import(sdk)) as { readonly query: ClaudeQuery }; // The SDK is an optional peer, so its types may be missing.
    return query;
  } catch (error) {
    throw new FlowError('model-missing', `claude.agent cannot load ${sdk}. Install it: npm install ${sdk}.`, {
      cause: error,
    });
  }
}

/** One piece of content of an SDK message. */
export type ClaudeEvent =
  | { readonly kind: 'text'; readonly delta: string }
  | { readonly kind: 'tool'; readonly tool: string; readonly callId: string }
  | { readonly kind: 'tool-result'; readonly callId: string; readonly failed: boolean }
  | { readonly kind: 'turn'; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Reads a message of the SDK. Returns an empty list for messages of subagents and for unused kinds. */
export function readMessage(message: unknown): readonly ClaudeEvent[] {
  const said = membersOf(message);
  if (typeof said['parent_tool_use_id'] === 'string') return [];
  switch (said['type']) {
    case 'stream_event': {
      const delta = membersOf(membersOf(said['event'])['delta']);
      return delta['type'] === 'text_delta' ? [{ kind: 'text', delta: textOf(delta['text']) }] : [];
    }
    case 'assistant':
      return blocksOf(said).flatMap((block) =>
        block['type'] === 'tool_use'
          ? [{ kind: 'tool', tool: textOf(block['name']), callId: textOf(block['id']) } as const]
          : [],
      );
    case 'user':
      return blocksOf(said).flatMap((block) =>
        block['type'] === 'tool_result'
          ? [{ kind: 'tool-result', callId: textOf(block['tool_use_id']), failed: block['is_error'] === true } as const]
          : [],
      );
    case 'result':
      return said['subtype'] === 'success' && said['is_error'] !== true
        ? [{ kind: 'turn', text: textOf(said['result']) }]
        : [{ kind: 'failed', reason: textOf(said['subtype']) }];
    default:
      return [];
  }
}

function blocksOf(said: Members): readonly Members[] {
  const { content } = membersOf(said['message']);
  return Array.isArray(content) ? content.map(membersOf) : [];
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
