import { describe, test } from 'vitest';
import { assertSimulation, playInRoom } from '../../src/testing/index.ts';
import { desk, deskModel, deskScripts } from '../testing/desk.ts';
import { openVenue } from './stage.ts';

const venue = openVenue();

describe.concurrent('a script of simulateRoom, in a room', () => {
  test.each(Object.entries(deskScripts))(
    '%s',
    async (_what, { script, graceMs }) => {
      assertSimulation(await playInRoom(desk, script, { model: deskModel, graceMs, server: venue.server }));
    },
    120_000,
  );
});
