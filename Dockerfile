# Catchment in one image: the supervisor, its processes, and the embedded PostgreSQL. docs/deployment.md says how to
# run it: read-only, as uid 10001, with one volume at /data. `npm run test:image` builds it, and runs it like that.
#
# Nothing of the image runs while it is built, so that a machine builds it for other processors without emulating them.
ARG BUILD_IMAGE=docker.io/library/node:24-trixie-slim
ARG RUNTIME_IMAGE=docker.io/library/debian:13-slim
# Docker sets it. Older versions of buildah have to be told.
ARG BUILDPLATFORM

FROM ${RUNTIME_IMAGE} AS runtime

FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build
WORKDIR /app
COPY . .
# Installs what running needs, each package by the checksum in the lock file, and builds the dashboard: once, for all
# processors.
RUN node scripts/setup.mjs && cp -L node_modules/.bin/node /usr/local/bin/build-node
# Takes the packages for the image's processor, and removes what only building needed.
ARG TARGETARCH
RUN build-node scripts/image/take-packages.ts "${TARGETARCH:-}" && build-node scripts/image/prune.ts
# Node keeps compiled code by user, so it compiles as the one who will run it. A container can't write there. Another
# processor can't read it.
RUN rm -rf node_modules/.cache/compile && mkdir -p node_modules/.cache/compile && chown 10001 node_modules/.cache/compile \
  && if node_modules/.bin/node --version >/dev/null 2>&1; then setpriv --reuid=10001 --regid=10001 --clear-groups \
  node_modules/.bin/node server/roles/compile.ts; fi && chown -R 0:0 node_modules/.cache/compile
# PostgreSQL asks for the name of its user.
COPY --from=runtime /etc/passwd /etc/group /files/etc/
RUN cd /files && mkdir -p data tmp usr/local/bin && chown 10001:10001 data && chmod 700 data && chmod 1777 tmp \
  && echo 'catchment:x:10001:10001:Catchment:/data:/usr/sbin/nologin' >> etc/passwd \
  && echo 'catchment:x:10001:' >> etc/group \
  && for name in catchment-server catchment; do \
  printf '#!/bin/sh\nexec node /app/server/cli/%s.ts "$@"\n' "$name" > "usr/local/bin/$name" \
  && chmod 755 "usr/local/bin/$name" || exit 1; done

FROM runtime
COPY --from=build /files /
COPY --from=build /app /app
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 CATCHMENT_DATA_DIR=/data \
  NODE_COMPILE_CACHE=/app/node_modules/.cache/compile PATH=/app/node_modules/.bin:/usr/local/bin:/usr/bin:/bin
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=60s --interval=15s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=2", "server/start/start.ts"]
