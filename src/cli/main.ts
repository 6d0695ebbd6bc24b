#!/usr/bin/env node
import { runRoomflow } from './roomflow.ts';

// Whoever reads only the first lines (`| head`) has what they wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
await runRoomflow(process.argv.slice(2));
