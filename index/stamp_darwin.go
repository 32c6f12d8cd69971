package index

import "syscall"

// addSystem adds what the system's status structure knows.
func (s *stamp) addSystem(sys any) {
	if st, ok := sys.(*syscall.Stat_t); ok {
		s.ctime = st.Ctimespec.Nano()
		s.device, s.inode = uint64(st.Dev), st.Ino
	}
}
