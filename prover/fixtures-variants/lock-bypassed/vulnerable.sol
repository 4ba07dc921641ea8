// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Plain {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    address internal owner = msg.sender;

    constructor() {
        balanceOf[msg.sender] = 1000 ether;
    }

    function approve(address spender, uint256 value) public virtual returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) public virtual returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public virtual returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) internal virtual {
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }
}

contract TimeLocked is Plain {
    uint256 public opens = block.timestamp + 3650 days;

    function transfer(address to, uint256 value) public override returns (bool) {
        require(block.timestamp > opens, "locked");
        return super.transfer(to, value);
    }
}

contract Paused is Plain {
    bool public isPaused = true;

    function setPaused(bool next) external {
        require(msg.sender == owner);
        isPaused = next;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        require(!isPaused, "paused");
        return super.transfer(to, value);
    }
}

contract Denied is Plain {
    mapping(address => bool) public isDenied;

    constructor() {
        isDenied[msg.sender] = true;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        require(!isDenied[msg.sender], "denied");
        return super.transfer(to, value);
    }
}

contract Vested is Plain {
    mapping(address => uint256) public vested;

    function transfer(address to, uint256 value) public override returns (bool) {
        require(value <= vested[msg.sender], "not vested");
        vested[msg.sender] -= value;
        return super.transfer(to, value);
    }
}

contract Listed is Plain {
    mapping(address => bool) public isListed;

    function list(address who) external {
        require(msg.sender == owner);
        isListed[who] = true;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        require(isListed[to], "recipient not listed");
        return super.transfer(to, value);
    }
}
