# SPDX-License-Identifier: Apache-2.0
# For make: "include PREFIX/share/tilefarm/tilefarm.mk", and kernel.b.elf is made of kernel.c for core B; .nc, .t0, .t1
# and .t2 are the other cores. TILEFARM_ARCH is the family, TILEFARM_CFLAGS has options for `tilefarm cc`.
TILEFARM ?= $(dir $(abspath $(lastword $(MAKEFILE_LIST))))../../bin/tilefarm
TILEFARM_ARCH ?= blackhole
TILEFARM_CFLAGS ?= -Wall -Wextra

define tilefarm_rule
%.$(1).elf: %.c
	$$(TILEFARM) cc --core $(1) --arch $$(TILEFARM_ARCH) $$(TILEFARM_CFLAGS) $$< -o $$@
endef
$(foreach core,b nc t0 t1 t2,$(eval $(call tilefarm_rule,$(core))))
