import type * as vscode from 'vscode';
import type { Operation } from '../../api/operation.ts';
import type { SheetAddress } from '../shell/address.ts';

export interface TrackedOperation {
  readonly address: SheetAddress;
  readonly operation: Operation;
}

export interface OperationEvent extends TrackedOperation {
  readonly isFinished: boolean;
}

/** The operations that this window knows of. Tell `changes` of one to have it followed. */
export interface Operations {
  readonly active: readonly TrackedOperation[];
  readonly onDidChange: vscode.Event<OperationEvent>;
  follow(address: SheetAddress, operationId: string, operation?: Operation): void;
  setAttentive(isAttentive: boolean): void;
}
