// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Wrapped {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
    }

    function withdraw(uint256 value) external {
        balanceOf[msg.sender] -= value;
        payable(msg.sender).transfer(value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        return true;
    }
}

interface ITaker {
    function onLoan(address by, uint256 due) external;
}

contract Desk {
    Wrapped public immutable wrapped;

    constructor(address wrappedEther) payable {
        wrapped = Wrapped(wrappedEther);
        wrapped.deposit{value: msg.value}();
    }

    function lend(ITaker taker, address token, uint256 amount) external {
        require(token == address(wrapped), "token");
        require(wrapped.transfer(address(taker), amount), "transfer");
        taker.onLoan(msg.sender, amount + 1 ether);
        require(wrapped.transferFrom(address(taker), address(this), amount + 1 ether), "not repaid");
    }
}

contract Taker is ITaker {
    address private desk;
    address private immutable keeper;

    constructor(address lender) {
        desk = lender;
        keeper = msg.sender;
    }

    function onLoan(address by, uint256 due) external {
        require(msg.sender == desk && by == keeper, "caller");
        Desk(desk).wrapped().approve(desk, due);
    }
}
