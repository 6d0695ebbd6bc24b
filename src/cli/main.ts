#!/usr/bin/env node
import { runRoomflow } from './roomflow.ts';

await runRoomflow(process.argv.slice(2));
