/** Takes the marks of chat templates out of a reply while it streams in, with what stands in them and is not said. */
export interface TemplateReader {
  /** Takes what was written next, in pieces of any size; returns the words. What may still become a mark is held back. */
  push(written: string): string;
  /** Nothing more is written: what is held back are words. */
  end(): string;
}

/** `<|im_end|>` and its like, with the bars that DeepSeek uses as well, and the marks of Gemma and Llama without bars. */
const mark = /<[|｜]([^<>|｜\n]{1,60})[|｜]>|<((?:start|end)_of_turn|\/?s|bos|eos)>|\[(\/?INST)\]|<<(\/?SYS)>>/;
/** The end of a text that may go on as a mark. */
const mayOpen =
  /(?:<[|｜][^<>|｜\n]{0,60}[|｜]?|<(?:s(?:t(?:a(?:r(?:t(?:_(?:o(?:f(?:_(?:t(?:u(?:r(?:n)?)?)?)?)?)?)?)?)?)?)?)?|e(?:n(?:d(?:_(?:o(?:f(?:_(?:t(?:u(?:r(?:n)?)?)?)?)?)?)?)?)?|o(?:s)?)?|b(?:o(?:s)?)?|\/s?|<(?:\/?S?Y?S?>?)?)?|\[\/?(?:I(?:N(?:S(?:T)?)?)?)?)$/;

/** Marks that the reader of written calls knows. */
const ofCalls = /^\/?(?:tool|function|python)/i;
/** Behind these a role or a channel is named, up to the next mark or the end of the line. */
const opensHeader = /^(?:start|im_start|start_header_id|channel|start_of_turn)$/;
/** Behind these the model's turn is over. */
const endsTurn =
  /^(?:end|im_end|eot_id|eom_id|endoftext|end_of_text|return|call|eos|end_of_turn|end[▁_]of[▁_]sentence)$/i;
const speaks = /^(?:assistant|model|final)$/i;
const isSilent = /^(?:user|system|developer|tool|ipython|analysis|commentary)$/i;
/** A header is no longer than this. */
const longestHeader = 80;

export function createTemplateReader(): TemplateReader {
  let held = '';
  /** Whether the caller is to hear what stands here. */
  let isSpoken = true;
  let isHeader = false;
  /** The line breaks behind a mark are a part of it. */
  let isBehind = false;

  const role = (name: string): void => {
    const [word = ''] = /[\w▁]+/.exec(name) ?? [];
    if (speaks.test(word)) isSpoken = !name.includes(' to=');
    else if (isSilent.test(word)) isSpoken = false;
  };
  /** Reads a header that ends at a place; the words of one that names no role are said. */
  const closeHeader = (end: number): string => {
    const header = held.slice(0, end);
    held = held.slice(end);
    isHeader = false;
    const isRole = speaks.test(firstWord(header)) || isSilent.test(firstWord(header));
    role(header);
    return isRole || header.trim() === '' ? '' : header;
  };
  const take = (name: string, isWide: boolean): void => {
    if (opensHeader.test(name)) isHeader = true;
    else if (endsTurn.test(name)) isSpoken = false;
    else if (name === '/INST') isSpoken = true;
    else if (/^\/?(?:SYS|INST)$/.test(name) || (isWide && name.startsWith('tool'))) isSpoken = false;
    else role(name);
  };
  const read = (isEnd: boolean): string => {
    let words = '';
    const say = (text: string): void => {
      if (!isSpoken) return;
      const said = isBehind ? text.replace(/^\n+/, '') : text;
      if (said !== '') isBehind = false;
      words += said;
    };
    for (;;) {
      const found = mark.exec(held);
      const place = found?.index ?? held.length;
      if (isHeader) {
        const line = held.indexOf('\n');
        const end = Math.min(line < 0 ? held.length : line, place);
        if (end === held.length && end < longestHeader && !isEnd) return words;
        say(closeHeader(end));
        continue;
      }
      if (found === null) {
        const open = isEnd ? held.length : (mayOpen.exec(held)?.index ?? held.length);
        say(held.slice(0, open));
        held = held.slice(open);
        return words;
      }
      const name = found[1] ?? found[2] ?? found[3] ?? found[4] ?? '';
      const isWide = found[0].startsWith('<｜');
      say(held.slice(0, place));
      held = held.slice(place + found[0].length);
      if (!isWide && ofCalls.test(name)) say(found[0]);
      else {
        take(name, isWide);
        isBehind = true;
      }
    }
  };
  return {
    push(written) {
      held += written;
      return read(false);
    },
    end: () => read(true),
  };
}

function firstWord(text: string): string {
  return /\w+/.exec(text)?.[0] ?? '';
}
