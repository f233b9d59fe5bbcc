import { handOver } from '../common/icons.ts';
import { drawings } from './drawings.ts';

handOver(drawings);
