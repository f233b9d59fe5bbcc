import '../common/base.css';
import './grid.css';
import { openPage } from '../common/page.ts';
import { startGrid } from './start.ts';

startGrid(openPage('grid'));
