// Plays a scene in a separate process, which kills itself at a point: SCENE SQLITE-FILE LEDGER CALLER POINT (JSON).
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { newCaller, play } from './play.ts';
import { ledgerInFile, noon, scenes } from './scenes.ts';
import { type CrashPoint, mortal } from './mortal.ts';
import { clockAt } from './sweep.ts';

const [name, database = '', ledger = '', callerFile = '', given = ''] = process.argv.slice(2);
const scene = scenes.find((one) => one.name === name);
if (scene === undefined) throw new Error(`no scene is called ${name}`);
const store = await openSqliteStore(database, { clock: clockAt(noon) });
const point = JSON.parse(given) as CrashPoint; // The test that starts this process wrote it.
const { store: dying, infer } = mortal(store, point, () => process.kill(process.pid, 'SIGKILL'));
const caller = newCaller();
const onTurn = (): void => writeFileSync(callerFile, JSON.stringify(caller));
await play(scene, {
  store: dying,
  world: scene.openWorld(ledgerInFile(ledger, () => caller.turns)),
  caller,
  now: noon,
  onTurn,
  infer,
});
