import type { DraftSlot } from '../draft-node.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import type { Source } from '../source.ts';
import { plainText } from '../words.ts';
import { type ForeignKeys, withKeys } from '../slots/keyed-slot.ts';
import { type Agent, plainMessages } from './fulfillment.ts';
import { ladderOf } from './ladder.ts';

/** Declares a parameter of a form as a slot. Returns its name. */
export function declareParameter(
  agent: Agent,
  parameter: Source,
  onTarget: (handler: Source) => string | undefined,
): string {
  const { draft, names } = agent;
  const theirs = plainText(parameter.at('displayName').take());
  const name = names.name(theirs);
  const fill = parameter.at('fillBehavior');
  const prompt = fill.at('initialPromptFulfillment');
  const ask = plainMessages(agent, prompt).say;
  prompt.take();
  const ladder = ladderOf(agent, fill.items('repromptEventHandlers'), {
    near: name,
    target: onTarget,
    failed: undefined,
  });
  fill.take();
  if (parameter.at('isList').take() === true)
    draft.notes.changed(parameter, `parameter ${theirs} is a list: its slot holds one value`);
  if (parameter.has('defaultValue'))
    draft.notes.lost(parameter.at('defaultValue'), `the default of parameter ${theirs}: a slot begins without a value`);
  parameter.at('defaultValue').take();
  const dtmf = parameter.at('advancedSettings').at('dtmfSettings');
  const keys = readKeys(dtmf);
  parameter.at('advancedSettings').take();
  const isRequired = parameter.at('required').take() === true;
  const isPersonal = parameter.at('redact').take() === true;
  const ofType: DraftSlot = {
    ...slotOf(agent, plainText(parameter.at('entityType').take()), parameter),
    ...(isPersonal ? { pii: true } : {}),
  };
  draft.slot(name, {
    ...(keys === undefined ? ofType : withKeys(draft, dtmf, ofType, keys)),
    ...(ask === undefined ? {} : { ask }),
    ...(isRequired ? {} : { optional: true }),
    ...(ladder === undefined ? {} : { ladder }),
  });
  draft.notes.taken(parameter, `parameter ${theirs} is slot ${name}`);
  return name;
}

/** Reads digits by keys; undefined if they are off. */
function readKeys(dtmf: Source): ForeignKeys | undefined {
  const isOff = dtmf.flag('enabled') !== true;
  const keys = {
    length: dtmf.number('maxDigits'),
    isMost: true,
    end: dtmf.text('finishDigit'),
    timeoutMs: seconds(dtmf.text('interdigitTimeoutDuration')),
  };
  dtmf.take();
  return isOff ? undefined : keys;
}

/** Returns a duration such as "3.5s" in milliseconds. */
function seconds(text: string | undefined): number | undefined {
  const [, count] = /^(\d+(?:\.\d+)?)s$/.exec(text ?? '') ?? [];
  return count === undefined ? undefined : Number(count) * 1_000;
}

const systemTypes: Readonly<Record<string, DraftSlot['type']>> = {
  '@sys.date': 'date',
  '@sys.time': 'time',
  '@sys.number': 'number',
  '@sys.number-integer': 'integer',
  '@sys.cardinal': 'integer',
  '@sys.ordinal': 'integer',
  '@sys.email': 'email',
  '@sys.phone-number': 'phone',
  '@sys.person': 'name',
  '@sys.given-name': 'name',
  '@sys.last-name': 'name',
};

function slotOf(agent: Agent, entity: string, place: Source): DraftSlot {
  const type = systemTypes[entity];
  if (type !== undefined) return { type };
  const own = agent.files.entities.get(entity.replace(/^@/, ''));
  if (own === undefined) {
    if (!['', '@sys.any'].includes(entity))
      agent.draft.notes.changed(place, `values of the entity ${entity} are taken as text`);
    return { type: 'text' };
  }
  return entitySlot(agent, own.type, own.values);
}

/** A custom entity type: its values with their synonyms, or its pattern. */
function entitySlot(agent: Agent, type: Source, files: readonly Source[]): DraftSlot {
  const kind = type.text('kind') ?? 'KIND_MAP';
  const file = files.find((each) => each.file.endsWith(`/${agent.languages.own}.json`)) ?? files[0];
  const others = files.filter((each) => each !== file);
  const entries = file?.items('entities') ?? type.items('entities');
  if (kind === 'KIND_REGEXP') {
    const patterns = entries
      .flatMap((entry) =>
        entry
          .items('synonyms')
          .map((word) => plainText(word.value))
          .concat(plainText(entry.at('value').value)),
      )
      .filter((text) => text !== '');
    const [first] = patterns;
    return { type: 'text', ...(first === undefined ? {} : { pattern: first }) };
  }
  const values: Record<string, string[]> = {};
  const taken = new Set<string>();
  for (const entry of entries) taken.add(plainText(entry.at('value').value).toLowerCase());
  for (const entry of entries) {
    const value = plainText(entry.at('value').value).trim();
    if (value === '' || value.includes('@')) continue;
    const words = entry.items('synonyms').map((word) => plainText(word.value).trim());
    // A word can mean only one value.
    values[value] ??= words.filter((word) => {
      const key = word.toLowerCase();
      if (word === '' || word.includes('@') || taken.has(key)) return false;
      taken.add(key);
      return true;
    });
  }
  // The words of all languages mean the same value.
  for (const entry of others.flatMap((other) => other.items('entities'))) {
    const value = plainText(entry.at('value').value).trim();
    const words = values[value];
    if (words === undefined) {
      agent.draft.notes.lost(entry, `the value ${JSON.stringify(value)}: it does not exist in ${agent.languages.own}`);
      continue;
    }
    for (const word of entry.items('synonyms').map((one) => plainText(one.value).trim())) {
      const key = word.toLowerCase();
      if (word === '' || word.includes('@') || taken.has(key)) continue;
      taken.add(key);
      words.push(word);
    }
  }
  for (const other of others) other.take();
  const lower = new Set<string>();
  const distinct = Object.entries(values).filter(
    ([value]) => !lower.has(value.toLowerCase()) && lower.add(value.toLowerCase()) !== undefined,
  );
  file?.take();
  type.take();
  return distinct.length === 0 ? { type: 'text' } : { type: 'enum', values: Object.fromEntries(distinct) };
}

/** The arguments of an intent. */
export function intentSchema(agent: Agent, intent: Source): Readonly<Record<string, unknown>> | undefined {
  const properties: Record<string, unknown> = {};
  for (const parameter of intent.items('parameters')) {
    const theirs = plainText(parameter.at('id').value);
    const entity = plainText(parameter.at('entityType').value);
    parameter.take();
    if (theirs === '') continue;
    const { type, values } = slotOf(agent, entity, parameter);
    const choices = isRecord(values) ? Object.keys(values) : undefined;
    const json = type === 'number' || type === 'integer' || type === 'boolean' ? type : 'string';
    properties[agent.names.name(theirs)] = {
      type: json,
      ...(choices === undefined || choices.length > 200 ? {} : { enum: choices }),
    };
  }
  return Object.keys(properties).length === 0 ? undefined : { type: 'object', properties };
}
