#!/usr/bin/env node
import { reportUnsettledAwait } from './unsettled-await.ts';
import { handleOutputErrors } from './output-errors.ts';
import { quietClients } from '../livekit/guards/quiet-clients.ts';
import { runRoomflow } from './roomflow.ts';

handleOutputErrors({ stdout: process.stdout, stderr: process.stderr, exit: (code) => process.exit(code) });
reportUnsettledAwait(process);
// Must run before a configuration creates its models.
quietClients(process.env);
await runRoomflow(process.argv.slice(2));
