# Catchment in one image: the supervisor, its processes, and the embedded PostgreSQL. docs/deployment.md says how to
# run it: read-only, as uid 10001, with one volume at /data.
ARG BUILD_IMAGE=docker.io/library/node:24-bookworm-slim
ARG RUNTIME_IMAGE=docker.io/library/debian:12-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /app
COPY . .
# Installs what running needs, each package by the checksum in the lock file, and builds the dashboard.
RUN node scripts/setup.mjs && rm -rf .next/cache e2e bench components app

FROM ${RUNTIME_IMAGE}
# PostgreSQL asks for the name of its user.
RUN echo 'catchment:x:10001:10001:Catchment:/data:/usr/sbin/nologin' >> /etc/passwd \
  && echo 'catchment:x:10001:' >> /etc/group \
  && mkdir -p /data /tmp && chown 10001:10001 /data && chmod 700 /data && chmod 1777 /tmp
COPY --from=build /app /app
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 CATCHMENT_DATA_DIR=/data PATH=/app/node_modules/.bin:/usr/bin:/bin
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=60s --interval=15s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=2", "server/start/start.ts"]
