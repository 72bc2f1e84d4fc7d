import type { InteractionDetails, Prompt } from '@candela/contract';
import { promptPages } from '@candela/contract/pages';
import { PORTAL_CLIENT_ID } from '@candela/contract/rules/portal-client';
import { type IdentifierDraft, isDraft } from '../identifier/draft.ts';

/** A page of the same interaction. */
export const flowUrl = (page: string, uid: string): string =>
  uid ? `${page}?interaction=${encodeURIComponent(uid)}` : page;

/** The page that answers a prompt. */
export const promptUrl = (prompt: Prompt, uid: string): string => flowUrl(promptPages[prompt], uid);

/** The data that a screen of a flow hands to the next, so that nothing is typed twice. */
export interface FlowState {
  draft?: IdentifierDraft | undefined;
  step?: 'code' | 'password' | undefined;
  identifier?: string | undefined;
  ticket?: string | undefined;
  /** The ticket has expired: the person needs another code. */
  expired?: boolean | undefined;
  /** The password has just been changed. */
  changed?: boolean | undefined;
  /** The action of the former page is done, and that page is gone. */
  done?: boolean | undefined;
  /** The person wants to sign in with another account than the offered account. */
  another?: boolean | undefined;
  /** The method that the form shows first. */
  method?: 'code' | 'password' | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads a history state. Any earlier release may have written it. */
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

/** Whether the portal itself asks: then there is no app to name or to return to. */
export const isPortal = (details: InteractionDetails): boolean => details.client.id === PORTAL_CLIENT_ID;

/** Writes a state into the current history entry, so that a reload restores it. The router sees no navigation. */
export const keepForReload = (state: FlowState): void =>
  history.replaceState({ ...history.state, usr: state }, '');
