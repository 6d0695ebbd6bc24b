import type { ScriptedReply, ScriptedRequest } from '../../../src/testing/scripted-model.ts';
import { FakeRealtimeModel, type RealtimeRequest } from '../../livekit/realtime/fake-model.ts';

/** A realtime model that answers as one in a pipeline would. */
export function createRealtimeModel(reply: (request: ScriptedRequest) => ScriptedReply): FakeRealtimeModel {
  return new FakeRealtimeModel((request) => {
    const { text = '', calls = [] } = reply(asScripted(request));
    return {
      text,
      // Written again as it is, whatever JSON it may be.
      calls: calls.map(({ name, arguments: args = {}, rawArguments: raw = '' }) => ({
        name,
        args: raw === '' ? args : (JSON.parse(raw) as object),
      })),
    };
  });
}

/** What a realtime session is shown, as a pipeline model is shown the same. */
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
