/** Checks whether recognized words are only the page's own speech. */
export function isEcho(heard: string, speaking: string): boolean {
  const plain = (text: string): string =>
    ` ${
      text
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(' ') ?? ''
    } `;
  return speaking !== '' && plain(speaking).includes(plain(heard));
}
