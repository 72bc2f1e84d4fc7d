import type { ComponentProps } from 'react';
import { useHref, useNavigate } from 'react-router-dom';
import { leaveWhenReachable } from '../connection/connection.ts';
import { openPage } from './open-page.ts';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href' | 'target'> {
  to: string;
  /** What the page is handed, in the history entry. */
  state?: unknown;
  /** The server is asked, and may lead elsewhere. */
  reloadDocument?: boolean;
}

/** A link to a page of the portal: the page on screen stays until that one can be drawn. */
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
