import type { YAMLParseError } from 'yaml';

/** Describes to the author why a text is not YAML, and how to correct it. */
export function syntaxText(
  { code, message, pos: [start] }: YAMLParseError,
  text: string,
): { readonly message: string; readonly hint?: string } {
  const line = text.slice(start, lineEnd(text, start));
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (/\r(?!\n)/.test(text) && !text.includes('\n'))
    return { message: 'lines end with only a carriage return.', hint: 'Save the file with line ends LF or CRLF.' };
  switch (code) {
    case 'BAD_ALIAS':
      return { message: `${message}.`, hint: 'Text that begins with "&" or "*" needs quotes.' };
    case 'BAD_DQ_ESCAPE':
      return { message: `${message}.`, hint: 'Double the backslash, or use single quotes.' };
    case 'BAD_SCALAR_START':
      return { message: `${message}.`, hint: 'Put the text in quotes.' };
    case 'BAD_INDENT':
      return message.startsWith('Flow ')
        ? neverClosed(message)
        : { message: 'its indentation does not match the lines that it belongs to.', hint: indentAlike };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return line.includes(': ')
        ? {
            message: 'a value cannot begin a map or list on the line of its key.',
            hint: 'Put text that has ": " in it in quotes.',
          }
        : {
            message: 'the line below this value is indented further than its key.',
            hint: /^\s*-\w[\w-]*:/.test(before) ? 'Write a space after "-".' : indentAlike,
          };
    case 'BLOCK_IN_FLOW':
      return {
        message: 'inside { } or [ ], this text contains ": ".',
        hint: 'Add the missing comma, or put the text in quotes.',
      };
    case 'MISSING_CHAR':
      if (message.startsWith('Flow ')) return neverClosed(message);
      return message.startsWith('Sequence item')
        ? { message: 'this is not an item of the list above it.', hint: `Begin it with "- ", or: ${indentAlike}` }
        : { message: `${message}.` };
    case 'MULTILINE_IMPLICIT_KEY':
      return {
        message: 'this line is not a key with a value.',
        hint: /^[\w-]+:\S/.test(line)
          ? 'Write a space after ":".'
          : 'Is a ":" missing, or the indentation wrong? Text of several lines is indented further than its key.',
      };
    case 'UNEXPECTED_TOKEN':
      if (message.startsWith('Unexpected scalar at node end'))
        return alias.test(before)
          ? { message: 'text that begins with "*" refers to an anchor.', hint: 'Put the whole text in quotes.' }
          : {
              message: 'text continues after a closing quote.',
              hint: 'Put the whole text in the other kind of quotes.',
            };
      if (/flow-(?:map|seq)-end/.test(message)) return { message: 'this closes nothing.', hint: 'Remove it.' };
      return { message: `${message}.`, hint: 'Put the whole text in quotes.' };
    default:
      return { message: `${message}.` };
  }
}

/** The same for a file that is JSON. `told` describes it as YAML. */
export function jsonText(
  { code, message, pos: [start] }: YAMLParseError,
  text: string,
  told: { readonly message: string; readonly hint?: string },
): { readonly code: 'json-syntax'; readonly message: string; readonly hint?: string } {
  const isValueEnd = /["}\]\w]\s*$/.test(text.slice(Math.max(0, start - 200), start));
  const isUnparted = code === 'UNEXPECTED_TOKEN' && isValueEnd && /["{[\w-]/.test(text[start] ?? '');
  if (isUnparted || message.startsWith('Missing , '))
    return { code: 'json-syntax', message: 'a comma is missing before this.', hint: 'Add ",".' };
  if (message.startsWith('Flow ') && text.slice(start).trim() === '') {
    const { message: open, hint } = neverClosed(message);
    return { code: 'json-syntax', message: `the text ends here, and ${open}`, hint: `${hint} Was the file cut off?` };
  }
  return { ...told, code: 'json-syntax' };
}

/** An alias that is followed by more text. */
const alias = /(?:^|[\s,:[{-])\*[^\s,[\]{}]+\s+$/;

const indentAlike = 'Indent all keys of a map, and all items of a list, by the same amount.';

/** The parser speaks of a "Flow map" or a "Flow sequence". */
function neverClosed(message: string): { readonly message: string; readonly hint: string } {
  const [open, close] = message.includes('sequence') ? ['[', ']'] : ['{', '}'];
  return { message: `a "${open}" before this is never closed.`, hint: `Add "${close}".` };
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}
