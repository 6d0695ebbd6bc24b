/** Removes chat-template tokens, and the unspoken text inside them, from a streaming reply. */
export interface TemplateReader {
  /** Takes the next text in pieces of any size. Returns the words. Text that may still become a token is held back. */
  push(written: string): string;
  /** Ends the text. Held-back text counts as words. */
  end(): string;
}

/** `<|im_end|>` and similar, DeepSeek's variant with wide bars, and the tokens of Gemma and Llama without bars. */
const mark = /<[|｜]([^<>|｜\n]{1,60})[|｜]>|<((?:start|end)_of_turn|\/?s|bos|eos)>|\[(\/?INST)\]|<<(\/?SYS)>>/;
/** The end of a text that may continue as a token. */
const mayOpen =
  /(?:<[|｜][^<>|｜\n]{0,60}[|｜]?|<(?:s(?:t(?:a(?:r(?:t(?:_(?:o(?:f(?:_(?:t(?:u(?:r(?:n)?)?)?)?)?)?)?)?)?)?)?)?|e(?:n(?:d(?:_(?:o(?:f(?:_(?:t(?:u(?:r(?:n)?)?)?)?)?)?)?)?)?|o(?:s)?)?|b(?:o(?:s)?)?|\/s?|<(?:\/?S?Y?S?>?)?)?|\[\/?(?:I(?:N(?:S(?:T)?)?)?)?)$/;

/** Tokens that the reader of written calls handles. */
const ofCalls = /^\/?(?:tool|function|python)/i;
/** Followed by a role or a channel, up to the next token or the end of the line. */
const opensHeader = /^(?:start|im_start|start_header_id|channel|start_of_turn)$/;
/** After these, the model's turn is over. */
const endsTurn =
  /^(?:end|im_end|eot_id|eom_id|endoftext|end_of_text|return|call|eos|end_of_turn|end[▁_]of[▁_]sentence)$/i;
const speaks = /^(?:assistant|model|final)$/i;
const isSilent = /^(?:user|system|developer|tool|ipython|analysis|commentary)$/i;
/** Maximum length of a header. */
const longestHeader = 80;

export function createTemplateReader(): TemplateReader {
  let held = '';
  /** Whether the caller hears the current text. */
  let isSpoken = true;
  let isHeader = false;
  /** Line breaks after a token belong to it. */
  let isBehind = false;

  const role = (name: string): void => {
    const [word = ''] = /[\w▁]+/.exec(name) ?? [];
    if (speaks.test(word)) isSpoken = !name.includes(' to=');
    else if (isSilent.test(word)) isSpoken = false;
  };
  /** Reads a header that ends at `end`. A header without a role is said as words. */
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
