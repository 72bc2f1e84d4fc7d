import Router from '@koa/router';

/**
 * A router that matches paths as they are spelled, so that another spelling does not pass a proxy's rule about a path.
 * @param strict a slash at the end makes another path
 */
export const createRouter = ({ strict = false } = {}): Router => new Router({ sensitive: true, strict });
