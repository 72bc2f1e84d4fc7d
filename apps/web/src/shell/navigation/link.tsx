import type { ComponentProps } from 'react';
import { useHref, useNavigate } from 'react-router-dom';
import { leaveWhenReachable } from '../connection/connection.ts';
import { openPage } from './open-page.ts';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href' | 'target'> {
  to: string;
  /** The state of the new history entry. */
  state?: unknown;
  /** Loads the page from the server, which may redirect. */
  reloadDocument?: boolean;
}

/** A link to a page of the portal. The current page stays until the new page can render. */
export const Link = ({ to, state, reloadDocument = false, onClick, ...rest }: LinkProps) => {
  const href = useHref(to);
  const navigate = useNavigate();
  const follow = () => {
    const { pathname, search, hash } = location;
    navigate(to, { state, replace: href === pathname + search + hash });
  };
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        const { button, metaKey, altKey, ctrlKey, shiftKey } = event;
        if (event.defaultPrevented || button !== 0 || metaKey || altKey || ctrlKey || shiftKey) return;
        event.preventDefault();
        if (reloadDocument) void leaveWhenReachable(() => location.assign(href));
        else void openPage(href, follow);
      }}
    />
  );
};
