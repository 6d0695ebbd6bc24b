/** Whether words were only those that the page itself is saying. */
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
