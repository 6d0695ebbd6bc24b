import { functionOf } from '../code-tool.ts';
import type { Draft } from '../draft.ts';
import type { DraftFunction } from '../draft-node.ts';
import { system } from '../router.ts';
import type { Source } from '../source.ts';
import { templateText } from '../template.ts';
import { functionNameOf, type Unique, plainText } from '../words.ts';
import { readCodeTool, variablesSchema } from './tools.ts';
import { writeTransfer } from './write-transfer.ts';

/**
 * Converts a tool that the model may call to a function. A tool with code stays in its node. A tool that ends or
 * transfers the call leads to a node made for that.
 */
export function readTool(draft: Draft, tool: Source, near: string, names: Unique): readonly DraftFunction[] {
  const type = tool.text('type') ?? 'custom';
  const given = tool.text('name') ?? type;
  const description = templateText(draft, tool.text('description') ?? '', tool);
  const described = description === '' ? {} : { description };
  const name = (): string => names.next(functionNameOf(given));
  switch (type) {
    case 'end_call': {
      const { say, prompt } = executionMessage(draft, tool);
      const to = draft.id(`${near} ${given}`);
      const talk = {
        ...(say === undefined ? {} : { say }),
        ...(prompt === undefined ? {} : { task_messages: [system(prompt)] }),
      };
      draft.node(to, { ...talk, end: 'ended' }, tool);
      draft.notes.taken(tool, `tool ${given} ends the call at node ${to}`);
      return [
        {
          name: name(),
          ...(description === '' ? { description: 'The caller is done.' } : described),
          transition_to: to,
        },
      ];
    }
    case 'transfer_call':
    case 'bridge_transfer':
    case 'agent_swap': {
      const { say, prompt } = executionMessage(draft, tool);
      const to = draft.id(`${near} ${given}`);
      const agent = [
        'agent_id',
        'agent_version',
        'post_call_analysis_setting',
        'webhook_setting',
        'keep_current_language',
        'keep_current_voice',
      ];
      const [whom] = agent.flatMap((key) => tool.at(key).take() ?? []);
      const talk = {
        ...(say === undefined ? {} : { say }),
        ...(prompt === undefined ? {} : { task_messages: [system(prompt)] }),
      };
      if (type !== 'agent_swap') {
        writeTransfer(draft, tool, to, { about: {}, say, prompt, failed: undefined });
        return [{ name: name(), ...described, transition_to: to }];
      }
      draft.notes.changed(
        tool,
        `agent_swap ${plainText(whom ?? '')} became the end of the flow for the reason "agent-swap": let a router or a handoff lead on from there`,
      );
      draft.node(to, { ...talk, end: 'agent-swap' }, tool);
      return [{ name: name(), ...described, transition_to: to }];
    }
    case 'extract_dynamic_variable':
    case 'extract_dynamic_variables': {
      draft.notes.changed(tool, `tool ${given} keeps variables: it is a function whose arguments are kept`);
      return [{ name: name(), ...described, parameters: variablesSchema(draft, tool.items('variables')) }];
    }
    case 'press_digit':
    case 'cancel_transfer':
      draft.notes.lost(tool, `tool ${given} (${type}): no function stands for it`);
      tool.take();
      return [];
    default: {
      const code = readCodeTool(draft, tool);
      if (code === undefined) {
        draft.notes.lost(tool, `a tool of type "${type}" is not known: no function stands for ${given}`);
        tool.take();
        return [];
      }
      draft.notes.taken(tool, `tool ${given} is function ${code.name}, whose code has to be written`);
      return names.has(code.name) ? [] : [{ ...functionOf(code), name: names.next(code.name) }];
    }
  }
}

/** The line said while a tool runs: a fixed line, or one by the model. */
function executionMessage(draft: Draft, tool: Source): { readonly say?: string; readonly prompt?: string } {
  const text = tool.text('execution_message_description') ?? tool.text('speak_message');
  const isStatic = tool.text('execution_message_type') === 'static_text';
  const speaks = tool.flag('speak_during_execution');
  tool.flag('speak_after_execution');
  if (text === undefined || speaks === false) return {};
  const ours = templateText(draft, text, tool);
  return isStatic ? { say: ours } : { prompt: ours };
}
