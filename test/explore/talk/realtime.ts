import type { ScriptedReply, ScriptedRequest } from '../../../src/testing/scripted-model.ts';
import { FakeRealtimeModel, type RealtimeRequest } from '../../livekit/realtime/fake-model.ts';

/** A realtime model that replies like a pipeline model. */
export function createRealtimeModel(reply: (request: ScriptedRequest) => ScriptedReply): FakeRealtimeModel {
  return new FakeRealtimeModel((request) => {
    const { text = '', calls = [] } = reply(asScripted(request));
    return {
      text,
      // Re-serialized unchanged, because it may be any JSON.
      calls: calls.map(({ name, arguments: args = {}, rawArguments: raw = '' }) => ({
        name,
        args: raw === '' ? args : (JSON.parse(raw) as object),
      })),
    };
  });
}

/** Converts a realtime request into the request that a pipeline model would receive. */
function asScripted({ instructions, tools, items }: RealtimeRequest): ScriptedRequest {
  const shown = items.map(itemAsShown);
  const conversation = shown.filter((item) => !item.startsWith('system: '));
  const told = shown.filter((item) => item.startsWith('system: '));
  const last = conversation.at(-1) ?? '';
  return {
    node: '',
    instructions: [instructions, ...told].join('\n\n'),
    tools,
    items: conversation,
    userText: last.startsWith('user: ') ? last.slice('user: '.length) : '',
    afterTool: '',
  };
}

function itemAsShown(item: string): string {
  const [kind = ''] = item.split(':', 1);
  const text = item.slice(kind.length + 1);
  return `${kind === 'out' ? 'output' : kind}: ${text}`;
}
