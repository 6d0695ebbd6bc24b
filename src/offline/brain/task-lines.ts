import { addressed, questionFrom } from './question-from.ts';
import { sentencesOf } from '../../language/english/answers/questions.ts';

/** A conjunction before another order in the same sentence: to say something, or to use a function. */
const nextOrder =
  /,? (?:and|then|and then) (?=(?:ask|find out|tell|offer|collect|say|thank|greet|apologi[sz]e|wish|explain)\b|(?:call|use) (?:the|an?|one of|\w+_\w+)\b)/i;

/**
 * Returns the lines that a task orders: a quoted sentence unchanged, "Tell the caller that …" as a statement, "Ask …",
 * "Find out …", "Collect …" as a question. Empty if there are none.
 */
export function linesOfTask(paragraphs: readonly string[]): string {
  const task = paragraphs.at(-1) ?? '';
  const quoted = quotedSentence(task);
  if (quoted !== '') return quoted;
  const lines: string[] = [];
  for (const raw of task.split('\n').flatMap(sentencesOf)) {
    for (const clause of raw.split(nextOrder)) {
      const line = lineOf(clause.trim());
      if (line === '') continue;
      lines.push(line);
      if (line.endsWith('?')) return lines.join(' ');
    }
  }
  return lines.join(' ');
}

function quotedSentence(task: string): string {
  for (const match of task.matchAll(/(?:^|[\s:(])["“]([^"“”]{6,300})["”]/g)) {
    const text = match[1]?.trim() ?? '';
    const before =
      task
        .slice(0, match.index)
        .split(/[.!?\n]/)
        .at(-1) ?? '';
    const isOrder =
      /\b(?:say|ask|greet|tell|answer|begin|start|open|respond|reply|with|words?|exactly|follows?)\b[^.]*$/i.test(
        before,
      ) || before.trim() === '';
    const isConditional = /\b(?:if|when|never|not|don't|avoid|instead of)\b/i.test(before);
    if (isOrder && !isConditional && text.split(/\s+/).length > 2) return /[.!?]$/.test(text) ? text : `${text}.`;
  }
  return '';
}

const CONDITIONAL = /^(?:if|when|unless|once|never|do not|don't|after|before|as soon as|whenever)\b/i;

function lineOf(sentence: string): string {
  const text = sentence
    .replace(/[.!?;:\s]+$/, '')
    .replace(
      /^(?:please|now|first|then|next|start by|begin by|kindly|politely|briefly|you (?:should|must|need to)|your (?:task|job|goal) is to)[,]?\s+/i,
      '',
    )
    .trim();
  if (CONDITIONAL.test(text)) return '';
  const who = '(?:the |your )?(?:caller|user|customer|guest|client|patient|visitor|member|them)s?';
  const rule = (pattern: string): RegExpExecArray | null => new RegExp(`^${pattern}$`, 'is').exec(text);
  if (/^(?:ask|asking) (?:only )?(?:one|a single) question|\bat a time\b/i.test(text)) return '';

  const offersHelp = rule(
    `(?:ask|asking|find out)(?: ${who})? how (?:you|we) can help.*|offer (?:your )?(?:help|assistance).*`,
  );
  if (offersHelp !== null) return 'How can I help you?';
  const asks = rule(
    `(?:ask|asking|find out|check|determine|establish|clarify|learn|see|get to know|confirm)(?: with| from)?(?: ${who})?(?: politely| again)? ((?:(?:for|at|in|on|from|to) )?(?:what|which|when|where|who|whom|whose|why|how|whether|if)\\b.*)`,
  );
  if (asks?.[1] !== undefined) return questionFrom(asks[1]) ?? '';
  const wants =
    rule(`(?:ask|asking)(?: ${who})? for (.*)`) ??
    rule(
      `(?:find out|find|collect|take|get|gather|obtain|request|note|note down|write down|record|determine|learn)(?: from ${who})? ((?:the|their|his|her|a|an|any|full|all)\\b.*)`,
    ) ??
    rule(`(?:collect|gather|obtain|request) (.*)`);
  if (wants?.[1] !== undefined)
    return /\bquestion\b/.test(wants[1]) ? '' : `Could you tell me ${withArticle(addressed(wants[1]))}, please?`;
  const about = rule(`(?:ask|asking)(?: ${who})? about (.*)`);
  if (about?.[1] !== undefined) return `Could you tell me about ${addressed(about[1])}?`;
  const invites = rule(`(?:ask|invite|have|let|get)(?: ${who}) (?:to )?(choose|pick|select)\\b.*`);
  if (invites !== null) return 'Which one would you like?';
  const does = rule(`(?:ask|asking|invite) ${who} to (.*)`);
  if (does?.[1] !== undefined) return `Could you ${addressed(does[1])}?`;

  const tells =
    rule(
      `(?:tell|inform|let|remind|assure)(?: ${who})?(?: know)? (?:that )?((?:the|their|your|his|her|they|we|it|there|you|our|this|an?)\\b.*)`,
    ) ?? rule(`(?:say|explain|mention|announce|state)(?: to ${who})? that (.*)`);
  if (
    tells?.[1] !== undefined &&
    /\s(?:is|are|was|were|has|have|had|will|can|cannot|must|should|may|costs?|takes?|needs?)\b/i.test(tells[1])
  )
    return statement(addressed(tells[1]));
  if (/^(?:greet|welcome)\b/i.test(text)) return 'Hello!';
  if (/^thank\b/i.test(text)) return 'Thank you.';
  if (/^apologi[sz]e\b/i.test(text)) return 'I am sorry about that.';
  if (/^(?:say (?:good ?bye|bye)|wish .*good ?bye|end the (?:call|conversation))/i.test(text)) return 'Goodbye!';
  return '';
}

function withArticle(text: string): string {
  const lower = text.charAt(0).toLowerCase() + text.slice(1);
  return /^(?:the|a|an|your|my|any|all|some|how|what|which|when|where|who|one|two|three)\b/i.test(lower)
    ? lower
    : `your ${lower}`;
}

function statement(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
