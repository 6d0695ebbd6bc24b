import type { Draft } from '../draft.ts';
import type { CodeTool } from '../code-tool.ts';
import { argumentsSchema } from '../schema-of-arguments.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import type { Source } from '../source.ts';
import { noteLost } from '../unread-keys.ts';
import type { ForeignTransfer } from '../put-through.ts';
import { templateText } from '../template.ts';
import { plainText } from '../words.ts';

/**
 * Reads a tool that runs code, and records the code that has to be written for it. Returns undefined for any other
 * tool.
 */
export function readCodeTool(draft: Draft, tool: Source): CodeTool | undefined {
  const type = tool.text('type') ?? 'custom';
  const given = tool.text('name') ?? tool.text('tool_id') ?? type;
  const description = tool.text('description') ?? '';
  tool.at('tool_id').take();
  const line = lineOf(draft, tool);
  const parameters = parametersOf(tool.at('parameters').take());
  const base = {
    description,
    ...(parameters === undefined ? {} : { parameters }),
    ...(line === undefined ? {} : { line }),
  };
  switch (type) {
    case 'custom': {
      const method = (tool.text('method') ?? 'POST').toUpperCase();
      const effect = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
      const timeoutMs = limitOf(tool.number('timeout_ms') ?? tool.number('timeout'));
      const retries = tool.number('max_retry');
      const flat = tool.flag('args_at_root');
      const name = draft.tool({
        name: given,
        ...base,
        effect,
        http: {
          method,
          url: urlOf(draft, tool.at('url')),
          query: textsOf(draft, tool.at('query_params')),
          ...(flat === false ? { body: { name: given } } : {}),
          headers: namesOf(draft, tool.at('headers')),
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
        },
        sets: setsOf(draft, tool.at('response_variables')),
        notes:
          flat === true
            ? []
            : ['Retell sends { call, name, args } unless args_at_root is set; the stub sends the arguments.'],
      });
      return {
        name,
        ...base,
        effect,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(retries === undefined || retries < 1 ? {} : { retries }),
      };
    }
    case 'code': {
      const code = tool.text('code') ?? '';
      const name = draft.tool({
        name: given,
        ...base,
        effect: 'write',
        sets: setsOf(draft, tool.at('response_variables')),
        notes: ['Its code in Retell:', ...code.split('\n')],
      });
      draft.notes.changed(
        tool,
        `tool "${given}" is JavaScript that Retell runs: it is a function to write, with that code in its stub`,
      );
      return { name, ...base, effect: 'write' };
    }
    case 'check_availability_cal':
    case 'book_appointment_cal': {
      const effect = type === 'book_appointment_cal' ? 'write' : 'read';
      tool.at('cal_api_key').take();
      const about = ['event_type_id', 'timezone'].flatMap((key) => {
        const value = tool.at(key).take();
        return value === undefined || value === null ? [] : [`${key}: ${plainText(value)}`];
      });
      const own = effect === 'write' ? bookingArguments : availabilityArguments;
      const name = draft.tool({
        name: given,
        description,
        parameters: own,
        effect,
        sets: {},
        notes: ['Cal.com, built into Retell.', ...about],
      });
      draft.notes.changed(
        tool,
        `tool "${given}" is the calendar that Retell has built in: it is a function to write; its key is left out`,
      );
      return { name, ...base, parameters: own, effect };
    }
    case 'mcp': {
      const about = ['mcp_id', 'mcp_tool_name'].flatMap((key) => tool.text(key) ?? []);
      const schema = parametersOf(tool.at('input_schema').take()) ?? parameters;
      const name = draft.tool({
        name: given,
        description,
        ...(schema === undefined ? {} : { parameters: schema }),
        effect: 'write',
        sets: setsOf(draft, tool.at('response_variables')),
        notes: [`A tool of an MCP server: ${about.join(', ')}`],
      });
      draft.notes.changed(tool, `tool "${given}" is one of an MCP server: it is a function to write`);
      return { name, ...base, ...(schema === undefined ? {} : { parameters: schema }), effect: 'write' };
    }
    case 'send_sms':
    case 'sms': {
      const content = JSON.stringify(tool.at('sms_content').take() ?? tool.at('instruction').take() ?? {});
      const name = draft.tool({
        name: given,
        ...base,
        effect: 'write',
        sets: {},
        notes: [`Sends a text message: ${content}`],
      });
      draft.notes.changed(tool, `tool "${given}" sends a text message: it is a function to write`);
      return { name, ...base, effect: 'write' };
    }
    default:
      return undefined;
  }
}

/** The schema of variables, for the function that keeps them. */
export function variablesSchema(draft: Draft, variables: readonly Source[]): Readonly<Record<string, unknown>> {
  const properties = Object.fromEntries(
    variables.flatMap((variable): readonly (readonly [string, unknown])[] => {
      const theirs = variable.text('name');
      if (theirs === undefined) return [];
      const type = variable.text('type') ?? 'string';
      const choices = variable.at('choices').take();
      const examples = variable.at('examples').take();
      const only = variable.text('conditional_prompt');
      const isRequired = variable.flag('required');
      const about = [
        variable.text('description') ?? '',
        only === undefined ? '' : `Only if: ${only}`,
        isRequired === true ? 'Needed.' : '',
      ];
      const listed = Array.isArray(choices) && choices.length > 0 ? { enum: [...new Set(choices.map(plainText))] } : {};
      const shown = Array.isArray(examples) && examples.length > 0 ? { examples } : {};
      return [
        [
          draft.name(theirs, 'set'),
          {
            type: type === 'number' || type === 'boolean' ? type : 'string',
            description: templateText(draft, about.filter((part) => part !== '').join(' '), variable),
            ...listed,
            ...shown,
          },
        ],
      ];
    }),
  );
  return { type: 'object', properties };
}

/** Reads the target of a transfer. It is unknown if the model decides it. */
export function readTransfer(draft: Draft, part: Source): Pick<ForeignTransfer, 'to' | 'isWarm' | 'kind'> {
  const destination = part.at('transfer_destination');
  const where = destination.text('number') ?? destination.text('prompt') ?? part.text('number') ?? '';
  const kind = part.at('transfer_option').text('type') ?? '';
  part.at('transfer_option').take();
  destination.take();
  noteLost(draft, part, ['custom_sip_headers', 'ignore_e164_validation']);
  return { to: templateText(draft, where, part), isWarm: kind.includes('warm'), kind };
}

function lineOf(draft: Draft, tool: Source): string | undefined {
  const speaks = tool.flag('speak_during_execution');
  const text = tool.text('execution_message_description');
  const isStatic = tool.text('execution_message_type') === 'static_text';
  const after = tool.flag('speak_after_execution');
  if (after === false)
    draft.notes.changed(
      tool,
      'speak_after_execution: false: the model always hears what a function has brought, and may speak',
    );
  if (speaks === false || text === undefined) return undefined;
  if (isStatic) return templateText(draft, text, tool);
  draft.notes.lost(tool, 'the line of the model while a function runs (execution_message): write a filler');
  return undefined;
}

function urlOf(draft: Draft, url: Source): string {
  const text = url.take();
  return typeof text === 'string' ? templateText(draft, text, url) : '';
}

function textsOf(draft: Draft, map: Source): Readonly<Record<string, string>> {
  return Object.fromEntries(
    map.members().flatMap(([key, value]) => {
      const given = value.take();
      return given === null || given === undefined
        ? []
        : [[key, templateText(draft, plainText(given), value)] as const];
    }),
  );
}

/** The names of headers. Their values are secrets. */
function namesOf(draft: Draft, map: Source): readonly string[] {
  const names = map.members().map(([key]) => key);
  map.take();
  if (names.length > 0)
    draft.notes.changed(map, `values of headers are left out, since they may be secrets: ${names.join(', ')}`);
  return names;
}

/** The names that an answer sets, by JSON paths such as `$.order.state`. */
function setsOf(draft: Draft, map: Source): Readonly<Record<string, string>> {
  return Object.fromEntries(
    map.members().map(([theirs, value]) => {
      const path = value.take();
      const plain =
        typeof path === 'string'
          ? path
              .replace(/^\$\.?/, '')
              .replaceAll(/\[["']?([^\]"']*)["']?\]/g, '.$1')
              .replace(/^\./, '')
          : '';
      return [draft.name(theirs, 'set'), plain] as const;
    }),
  );
}

function parametersOf(given: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(given)) return undefined;
  // Retell, not the model, fills in a const in double braces.
  return argumentsSchema(given);
}

function limitOf(ms: number | undefined): number | undefined {
  return ms === undefined || ms < 1 ? undefined : Math.round(ms);
}

const availabilityArguments = {
  type: 'object',
  properties: {
    from: { type: 'string', description: 'The first day, such as 2026-05-01.' },
    to: { type: 'string', description: 'The last day.' },
  },
};

const bookingArguments = {
  type: 'object',
  properties: {
    time: { type: 'string', description: 'When, such as 2026-05-01T14:30.' },
    name: { type: 'string', description: 'Whose appointment it is.' },
    email: { type: 'string', description: 'Their e-mail address.' },
  },
  required: ['time'],
};
