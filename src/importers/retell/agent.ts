import type { Draft } from '../draft.ts';
import type { Source } from '../source.ts';
import { noteLost } from '../unread-keys.ts';

/** Reads the settings of a Retell agent around its flow: language, silence, and keys. */
export function readAgent(draft: Draft, agent: Source): void {
  noteLost(draft, agent, ['channel', 'tags']);
  for (const key of ['agent_id', 'response_engine', 'is_published', 'base_version']) agent.at(key).take();
  readLanguage(draft, agent.at('language'));
  const after = agent.number('reminder_trigger_ms');
  const times = agent.number('reminder_max_count');
  if (after !== undefined || times !== undefined) {
    draft.root.ladder = {
      ...(after === undefined ? {} : { no_input_ms: Math.min(600_000, Math.max(0, Math.round(after))) }),
      ...(times === undefined ? {} : { attempts: Math.min(10, Math.max(1, Math.round(times) + 1)) }),
    };
    draft.notes.changed(agent, 'reminders are the ladder of the flow, which also counts unusable answers');
  }
  const endAfter = agent.number('end_call_after_silence_ms');
  if (endAfter !== undefined)
    draft.notes.changed(
      agent.at('end_call_after_silence_ms'),
      'silence ends the call through the ladder of the open question, not after a separate time',
    );
  if (agent.flag('allow_user_dtmf') !== undefined || agent.has('user_dtmf_options')) {
    agent.at('user_dtmf_options').take();
    draft.notes.changed(
      agent,
      'keys that a caller presses are their words: digits are taken as they come, without a terminator or a length',
    );
  }
}

function readLanguage(draft: Draft, language: Source): void {
  const given = language.take();
  const tags = (Array.isArray(given) ? given : [given]).filter((tag): tag is string => typeof tag === 'string');
  const known = tags.filter((tag) => /^[a-z]{2,3}(?:-[A-Za-z\d]{2,8})*$/.test(tag));
  if (known.length > 0) {
    draft.root.language = known[0] ?? 'en';
    if (known.length > 1) draft.root.languages = known;
    draft.notes.taken(language, `the language is ${known.join(', ')}`);
  } else if (tags.length > 0)
    draft.notes.lost(language, `"language": ${tags.join(', ')} is not a language of a flow; list languages instead`);
}
