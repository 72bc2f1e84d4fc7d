import type { InteractionDetails, Prompt } from '@candela/contract';
import { promptPages } from '@candela/contract/pages';
import { PORTAL_CLIENT_ID } from '@candela/contract/rules/portal-client';
import { type IdentifierDraft, isDraft } from '../identifier/draft.ts';

/** A page of the same interaction. */
export const flowUrl = (page: string, uid: string): string =>
  uid ? `${page}?interaction=${encodeURIComponent(uid)}` : page;

/** The page that answers a prompt. */
export const promptUrl = (prompt: Prompt, uid: string): string => flowUrl(promptPages[prompt], uid);

/** What one screen of a flow hands to the next: nothing is typed twice. */
export interface FlowState {
  draft?: IdentifierDraft | undefined;
  step?: 'code' | 'password' | undefined;
  identifier?: string | undefined;
  ticket?: string | undefined;
  /** The ticket was refused as too old: the code is asked for once more. */
  expired?: boolean | undefined;
  /** The password has just been changed. */
  changed?: boolean | undefined;
  /** What was asked for on the page before is done, and that page is gone. */
  done?: boolean | undefined;
  /** Another account is to sign in than the one that is offered. */
  another?: boolean | undefined;
  /** Sign in with this first. */
  method?: 'code' | 'password' | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads a history state, which may be any earlier release’s. */
export const readFlowState = (state: unknown): FlowState => {
  if (typeof state !== 'object' || state === null) return {};
  const flow = state as Record<string, unknown>;
  const { draft, step, identifier, ticket, method } = flow;
  return {
    draft: isDraft(draft) ? draft : undefined,
    step: step === 'code' || step === 'password' ? step : undefined,
    identifier: text(identifier),
    ticket: text(ticket),
    expired: flow.expired === true,
    changed: flow.changed === true,
    done: flow.done === true,
    another: flow.another === true,
    method: method === 'code' || method === 'password' ? method : undefined,
  };
};

/** The app that asks is the portal itself: nobody to name, nobody to go back to. */
export const isPortal = (details: InteractionDetails): boolean => details.client.id === PORTAL_CLIENT_ID;

/** Writes what is on screen into its history entry, so that a reload brings it back. Nobody moved: the router is not told. */
export const keepForReload = (state: FlowState): void =>
  history.replaceState({ ...history.state, usr: state }, '');
