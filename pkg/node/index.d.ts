import type { ClosableJournal } from "launchpad-desk/journal";

/** Options of {@link nodeFetch}. Unknown names are refused. */
export interface NodeFetchOptions {
    /**
     * How long a connection is kept for the next call, in milliseconds. Default 4000; 0 keeps none. If the service closes one
     * at the moment it is used, the outcome is unknown, so stay below the service's own limit.
     */
    keepAliveMs?: number;
    /** How long a connection may take to open, TLS included, in milliseconds; then nothing was sent. Default 10000. */
    connectTimeoutMs?: number;
    /** Certificates to trust instead of the well-known ones, in PEM. */
    ca?: string | Uint8Array | readonly (string | Uint8Array)[];
}

/** A reply in the shape of `Response`, as far as one is read. */
export interface NodeReply {
    /** The HTTP status. */
    readonly status: number;
    /** The words after it. */
    readonly statusText: string;
    /** Whether the status is a success. */
    readonly ok: boolean;
    /** Always `false`: a redirect is a reply like any other, and never followed. */
    readonly redirected: boolean;
    /** The URL that was asked. */
    readonly url: string;
    /** The headers, by name in any case. */
    readonly headers: { get(name: string): string | null; has(name: string): boolean };
    /** The body, piece by piece. */
    readonly body: { getReader(): { read(): Promise<{ done: false; value: Uint8Array } | { done: true; value: undefined }>; cancel(): Promise<void>; releaseLock(): void } };
    /** Whether the body has been read. */
    readonly bodyUsed: boolean;
    /** The whole body. */
    bytes(): Promise<Uint8Array>;
    /** The whole body. */
    arrayBuffer(): Promise<ArrayBuffer>;
    /** The whole body as text, of UTF-8. */
    text(): Promise<string>;
    /** The whole body as JSON. */
    json(): Promise<unknown>;
}

/** What {@link nodeFetch} reads of a call. */
export interface NodeFetchInit {
    /** The method. Default `GET`. */
    method?: string;
    /** The headers. */
    headers?: Record<string, string> | { entries(): Iterable<[string, string]> };
    /** The body. */
    body?: string | Uint8Array | null;
    /** Never followed, whatever stands here. */
    redirect?: string;
    /** Aborts the call. */
    signal?: AbortSignal | null;
}

/** A `fetch` over node:http and node:https. */
export interface NodeFetch {
    /** Sends a request, once. */
    (url: string | URL, init?: NodeFetchInit): Promise<NodeReply>;
    /** Opens a connection ahead of the next call (name, TCP and TLS), unless one is ready. */
    warm(url: string | URL): Promise<void>;
    /** Closes every connection. */
    close(): void;
}

/**
 * A transport over `node:http` and `node:https`. It keeps connections, takes about a third of the CPU of Node's own `fetch`,
 * and knows more about a failure. On Node, clients without a `fetch` share one; make your own if you need options:
 * `new TradeClient({ fetch: nodeFetch(options) })`.
 *
 * A request gets a connection only once it is open and its certificate checked. Whatever fails before that rejects with an
 * error that carries `error[Symbol.for("launchpad-desk.unsent")] === true`: nothing was sent, and a client reports
 * `not_sent`. The same holds if the call is aborted, or its deadline passes, before that. This is true in Node. Bun and Deno
 * have their own `node:http`; there the same failure is `unknown`, and in Deno no connection is reused, since Deno resends a
 * request when a reused connection closes without an answer.
 *
 * Nothing is ever sent twice, and no redirect is followed. Proxy settings in the environment are ignored.
 *
 * If you wrap it in a function that retries, pass the call's `signal` on. Otherwise a later failure would count as proof for
 * the first try, too.
 *
 * @throws {TypeError} for options it does not know or cannot use.
 */
export declare function nodeFetch(options?: NodeFetchOptions): NodeFetch;

/**
 * A journal in the file at `path`, for Node, Bun and Deno: a line of JSON for each intent that begins, on the disk before
 * it is sent, and one for its end. It survives `kill -9` and power cuts. A complete last line is used, even without its line
 * end; a torn one is dropped, with a process warning (`JournalWarning`).
 *
 * The file is opened at the first call, by one process at a time (`path.lock`). A link is followed, even to a file that does
 * not exist yet. Then, and each time it has doubled and grown by 8 MiB, the file is shortened to what is still needed: the
 * unresolved intents, the latest 10,000 that landed, and a sum for each day. In between it grows by some 400 bytes per trade.
 * It is read and written in pieces, so its length does not cost memory. A kill while it is shortened leaves the whole old file
 * or the whole new one, and at most a `path.fresh` that nobody reads.
 *
 * A killed program leaves its lock behind. The lock is taken over if that program is seen to be gone. If that cannot be seen
 * (its machine or container had another name; or, off Linux, another process has its number by now), the error names the file
 * to remove.
 *
 * Rejects if another process has it open, or if a line before the last cannot be read. After a failed write it rejects every
 * call until it is reopened, since the file's content is unknown.
 */
export declare function fileJournal(path: string): ClosableJournal;
