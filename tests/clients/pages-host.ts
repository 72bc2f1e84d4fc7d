import express from 'express';

/**
 * Serves a handler of Next’s `pages/api/auth/[...nextauth].js`, with requests in the form that Next passes.
 * Arguments: the path of the module, and the port.
 */
const [, , path = '', port] = process.argv;
const { default: handler } = await import(path);

const cookiesOf = (header: string): Record<string, string> =>
  Object.fromEntries(
    header.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name, decodeURIComponent(value.join('='))];
    }),
  );

const app = express();
app.use('/api/auth', express.urlencoded(), (request, response) => {
  const nextauth = request.path.split('/').slice(1);
  Object.defineProperty(request, 'query', { value: { ...request.query, nextauth } });
  Object.assign(request, { cookies: cookiesOf(request.headers.cookie ?? '') });
  return handler(request, response);
});
app.listen(Number(port));
