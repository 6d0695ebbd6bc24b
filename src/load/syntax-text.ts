import type { YAMLParseError } from 'yaml';

/** What is wrong where the text is no YAML, in words for who wrote it, and the way out. */
export function syntaxText(
  { code, message, pos: [start] }: YAMLParseError,
  text: string,
): { readonly message: string; readonly hint?: string } {
  const line = text.slice(start, lineEnd(text, start));
  switch (code) {
    case 'BAD_DQ_ESCAPE':
      return { message: `${message}.`, hint: 'Double the backslash, or use single quotes.' };
    case 'BAD_SCALAR_START':
      return { message: `${message}.`, hint: 'Put the text in quotes.' };
    case 'BAD_INDENT': {
      const isFlow = message.startsWith('Flow ');
      const [open, close] = message.includes('sequence') ? ['[', ']'] : ['{', '}'];
      return isFlow
        ? { message: `a "${open}" before this is never closed.`, hint: `Add "${close}".` }
        : { message: 'it begins at another column than what it belongs to.', hint: indentAlike };
    }
    case 'BLOCK_AS_IMPLICIT_KEY':
      return line.includes(': ')
        ? {
            message: 'a value cannot begin a map or list on the line of its key.',
            hint: 'Put text that has ": " in it in quotes.',
          }
        : { message: 'the line below this value is indented further than its key.', hint: indentAlike };
    case 'BLOCK_IN_FLOW':
      return {
        message: 'inside of { } or [ ] this text has ": " in it.',
        hint: 'Add the comma that is missing, or put the text in quotes.',
      };
    case 'MISSING_CHAR':
      return message.startsWith('Sequence item')
        ? { message: 'this is no item of the list above it.', hint: `Begin it with "- ", or: ${indentAlike}` }
        : { message: `${message}.` };
    case 'MULTILINE_IMPLICIT_KEY':
      return {
        message: 'this line is no key with a value.',
        hint: /^[\w-]+:\S/.test(line)
          ? 'Write a blank behind ":".'
          : 'Is a ":" missing, or the indentation wrong? Text of several lines is indented further than its key.',
      };
    case 'UNEXPECTED_TOKEN':
      if (message.startsWith('Unexpected scalar at node end'))
        return {
          message: 'text goes on behind a closing quote.',
          hint: 'Put the whole text in quotes of the other kind.',
        };
      if (/flow-(?:map|seq)-end/.test(message)) return { message: 'this closes nothing.', hint: 'Remove it.' };
      return { message: `${message}.`, hint: 'Put the whole text in quotes.' };
    default:
      return { message: `${message}.` };
  }
}

const indentAlike = 'Indent the keys of a map, and the items of a list, alike.';

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}
