import type { Clock } from '../../model/ports/time.ts';

/**
 * Groups a caller's key presses into turns: keys within a pause of each other, or up to `#`. `begin` is called with the first key of each turn.
 */
export function createPressedKeys(
  clock: Clock,
  pauseMs: number,
  begin: () => void,
  send: (keys: string, eventId: string) => void,
): { press(sender: string, key: string): void; forget(): void } {
  let keys = '';
  let eventId = '';
  let sequence = 0;
  let cancelPause = (): void => undefined;
  const flush = (): void => {
    cancelPause();
    if (keys !== '') send(keys, eventId);
    keys = '';
  };
  return {
    press(sender, key) {
      sequence += 1;
      if (keys === '') {
        eventId = `dtmf/${sender}/${sequence}`;
        begin();
      }
      keys += key;
      cancelPause();
      if (key === '#') flush();
      else cancelPause = clock.schedule(pauseMs, flush);
    },
    forget() {
      cancelPause();
      keys = '';
    },
  };
}
