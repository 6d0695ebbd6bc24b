#!/usr/bin/env node
import { heedEndlessWait } from './endless-wait.ts';
import { heedLostOutput } from './lost-output.ts';
import { quietClients } from '../livekit/guards/quiet-clients.ts';
import { runRoomflow } from './roomflow.ts';

heedLostOutput({ stdout: process.stdout, stderr: process.stderr, exit: (code) => process.exit(code) });
heedEndlessWait(process);
// Must run before a configuration creates its models.
quietClients(process.env);
await runRoomflow(process.argv.slice(2));
